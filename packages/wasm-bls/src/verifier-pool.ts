import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { misuse, requireClaim, requireClaims, shown } from './arguments.ts';
import type { Bls, ContributionClaim } from './bls.ts';
import { PUBLIC_KEY_POINT_BYTES } from './suite.ts';
import { type ContributionVerifier, VerifierError } from './verifier.ts';
import type { VerificationRequest, WorkerMessage, WorkerRound } from './verifier-messages.ts';

/** Enough for a few hundred nodes of one process, each with one verification under way, and small enough to notice a leak. */
const DEFAULT_MAX_WAITING = 1024;

export interface VerifierPoolOptions {
  /** Loaded by the caller: checks the registry once for all threads, and says which implementation the threads load. */
  readonly bls: Bls;
  /** The registry and the message, as Bls.round takes them. */
  readonly publicKeys: readonly Uint8Array[];
  readonly message: Uint8Array;
  /** Number of worker threads, 1 or more. */
  readonly threads: number;
  /** How many verifications, a batch counted as one, may wait for a thread; one more is rejected. 1024 if undefined. */
  readonly maxWaiting?: number | undefined;
}

interface Job {
  readonly request: VerificationRequest;
  readonly resolve: (verdicts: boolean[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A verifier on worker threads of Node, each with a kernel and a round of its own.
 *
 * A thread that ends by itself is our bug or the machine's distress, and takes the pool with it: what is under way and what comes
 * later is rejected with the code `worker-died`, so that nobody waits for an answer that cannot come.
 *
 * @returns a verifier whose threads are ready.
 * @throws RangeError for a registry or a number of threads that cannot be; VerifierError if a thread does not start.
 */
export async function verifierPool(options: VerifierPoolOptions): Promise<ContributionVerifier> {
  const { threads, maxWaiting = DEFAULT_MAX_WAITING } = options;
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw misuse(RangeError, 'threads', 'an integer of 1 or more', shown(threads));
  const pool = new VerifierPool(workerFile(), workerRound(options), threads, maxWaiting);
  await pool.ready;
  return pool;
}

/** The compiled worker: beside this file when it is compiled too, else in dist/, since Node's workers run no TypeScript. */
function workerFile(): URL {
  const compiled = new URL(
    import.meta.url.endsWith('.ts') ? '../dist/verifier-worker.js' : './verifier-worker.js',
    import.meta.url,
  );
  if (existsSync(compiled)) return compiled;
  throw new VerifierError(
    'worker-missing',
    `verifier pool: ${fileURLToPath(compiled)} is not built; run npm run build`,
  );
}

function workerRound({ bls, publicKeys, message }: VerifierPoolOptions): WorkerRound {
  const flat = new Uint8Array(publicKeys.length * PUBLIC_KEY_POINT_BYTES);
  for (const [i, bytes] of publicKeys.entries()) {
    const key =
      bytes.length === PUBLIC_KEY_POINT_BYTES ? { ok: true as const, point: bytes } : bls.validatePublicKey(bytes);
    if (!key.ok) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', key.code);
    flat.set(key.point, i * PUBLIC_KEY_POINT_BYTES);
  }
  return { kernel: bls.name === 'blst-wasm' ? 'wasm' : 'noble', publicKeys: flat, message };
}

class VerifierPool implements ContributionVerifier {
  readonly ready: Promise<void>;
  readonly #workers: Worker[] = [];
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Job>();
  readonly #waiting: Job[] = [];
  readonly #maxWaiting: number;
  #ended: VerifierError | undefined;

  constructor(file: URL, round: WorkerRound, threads: number, maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
    this.ready = new Promise((resolve, reject) => {
      for (let i = 0; i < threads; i++) {
        const worker = new Worker(file, { workerData: round });
        this.#workers.push(worker);
        worker.on('message', (message: WorkerMessage) => {
          this.#onMessage(worker, message);
          if (this.#idle.length === threads) resolve();
        });
        const onEnd = (cause: unknown): void => {
          this.#end(new VerifierError('worker-died', 'verifier pool: a worker ended by itself', { cause }));
          reject(this.#ended);
        };
        worker.on('error', onEnd);
        worker.on('exit', onEnd);
      }
    });
  }

  async verify(first: number, bits: Uint8Array, signature: Uint8Array): Promise<boolean> {
    requireClaim({ first, bits, signature });
    const [valid] = await this.#ask([{ first, bits, signature }]);
    return valid!;
  }

  async verifyBatch(claims: readonly ContributionClaim[]): Promise<boolean[]> {
    requireClaims(claims);
    return this.#ask(claims);
  }

  #ask(claims: readonly ContributionClaim[]): Promise<boolean[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) throw this.#ended;
      const request = claims.map(({ first, bits, signature }) => ({
        first,
        bits: Uint8Array.from(bits),
        signature: Uint8Array.from(signature),
      }));
      const job = { request, resolve, reject };
      const worker = this.#idle.pop();
      if (worker !== undefined) this.#run(worker, job);
      else if (this.#waiting.length < this.#maxWaiting) this.#waiting.push(job);
      else throw new VerifierError('queue-full', `verifier pool: ${this.#maxWaiting} verifications wait already`);
    });
  }

  async close(): Promise<void> {
    this.#end(new VerifierError('closed', 'verifier pool: closed'));
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #onMessage(worker: Worker, message: WorkerMessage): void {
    if (message !== 'ready') {
      this.#running.get(worker)?.resolve([...message]);
      this.#running.delete(worker);
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(worker);
    else this.#run(worker, next);
  }

  #run(worker: Worker, job: Job): void {
    this.#running.set(worker, job);
    worker.postMessage(job.request);
  }

  /** The pool's one end: the first cause stays, and whoever waits is told it. */
  #end(cause: VerifierError): void {
    if (this.#ended !== undefined) return;
    this.#ended = cause;
    for (const job of this.#running.values()) job.reject(cause);
    for (const job of this.#waiting.splice(0)) job.reject(cause);
    this.#running.clear();
    if (cause.code === 'worker-died') for (const worker of this.#workers) void worker.terminate();
  }
}
