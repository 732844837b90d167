import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HandelConfig, RegistryEntry, WireForm } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import type { Impairment, RoundPlan, RoundReport } from '@tutti/transports';
import type { Engine, Variant } from '@tutti/wasm-bls';
import type { ProcessCost } from '../output/progress.ts';
import type { ClusterCast } from './cast.ts';
import type { ClusterProtocolName } from './protocols.ts';

/** Settings of all nodes in a cluster, sent before the first round. */
export interface ClusterSetup {
  readonly entries: readonly RegistryEntry[];
  readonly config: HandelConfig;
  /** Form of signatures on the wire. Default: compressed. */
  readonly points?: WireForm | undefined;
  /** Region of each entry, as returned by `regionsOfEntries`. Default: no packet is delayed. */
  readonly regions?: readonly number[] | undefined;
  /** Intentional impairment of sent packets. Default: none. */
  readonly impairment?: Impairment | undefined;
  /** Protocol for all rounds. Default: Handel. */
  readonly protocol?: ClusterProtocolName | undefined;
  /** Slow, dead and Byzantine entries. Default: none. */
  readonly cast?: ClusterCast | undefined;
}

/**
 * Message from the process that runs the cluster to a process that hosts the nodes of the registry entries [first,
 * end).
 */
export type ToMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: Engine;
      /** URL of a `SignersModule`. Default: BLS. */
      readonly signers?: string | undefined;
      /** Variant of BLS. */
      readonly variant?: Variant;
      /** Address on which the nodes listen. */
      readonly host: string;
      /**
       * Port of the first node; the other nodes use the following ports. With port 0, the system chooses free ports.
       */
      readonly firstPort: number;
    }
  /**
   * Verifies the entries [verifyFirst, verifyEnd) of the registry, and creates the peers of the nodes. The processes
   * together verify all entries of the registry.
   */
  | { readonly type: 'prepare'; readonly setup: ClusterSetup; readonly verifyFirst: number; readonly verifyEnd: number }
  /** Signs the message of a round and starts to receive packets of that round. */
  | { readonly type: 'enter'; readonly plan: RoundPlan }
  /** Starts the round that the process entered last. `originUs` is the common start time, µs of `machineClock`. */
  | { readonly type: 'start'; readonly originUs: number }
  /** Requests the process's report on the round that it entered last. */
  | { readonly type: 'report' }
  /** Requests the current secret key of the first node, an insecure test key, to simulate its theft. */
  | { readonly type: 'steal' };

/** Results in a round for the nodes of one process. The CPU time is that from the start of the round to this report. */
export interface MemberReport extends ProcessCost {
  /** Reports of the honest nodes. */
  readonly reports: readonly RoundReport[];
  /** Number of packets that honest nodes rejected so far, per code, over all rounds. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Message from a process that hosts nodes to the process that runs the cluster. */
export type FromMember =
  /** Commitments to the first beacon, in the order of the registry entries. */
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[]; readonly commitments: readonly Uint8Array[] }
  /** Openings of the commitments, sent once all commitments are fixed. */
  | { readonly type: 'prepared'; readonly openings: readonly Uint8Array[] }
  | { readonly type: 'entered' }
  | {
      readonly type: 'progress';
      readonly round: number;
      /** Number of the process's honest nodes that produced an output in that round. */
      readonly reached: number;
      /** Number of messages that the process's honest nodes received, over all rounds. */
      readonly messages: number;
      /** Number of contributions that the process's honest nodes verified, over all rounds. */
      readonly checked: number;
    }
  | ({
      readonly type: 'reported';
      /**
       * Entries that honest nodes of the process blacklisted in any round so far, each with the number of nodes that
       * blacklisted it.
       */
      readonly blacklisted: readonly (readonly [index: number, nodes: number])[];
    } & MemberReport)
  | { readonly type: 'stolen'; readonly secretKey: Uint8Array }
  | { readonly type: 'failed'; readonly line: string };

/** Interval at which a process of a cluster reports its progress, ms. */
export const progressIntervalMs = 250;

/** Time before a process that was asked to end is killed, ms. */
const patienceMs = 1000;

/** A message with a `type` field. */
interface Typed {
  readonly type: string;
}
type ReplyOf<From extends Typed, T extends From['type']> = Extract<From, { type: T }>;
/** Progress reported by a process of a cluster. */
export type ProcessProgress = ReplyOf<FromMember, 'progress'>;

/** Options for creating a {@link MemberProcess}. */
export interface MemberProcessOptions<Progress> {
  /** Name of the process, for errors. */
  readonly name: string;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Converts a command line to one that runs the same process in another environment, for example in a network
   * namespace. Default: the same command line.
   */
  readonly inside?: (command: readonly string[]) => readonly string[];
  /** Script to run, relative to this file. Default: `./member.js`. */
  readonly script?: string;
}

/**
 * A process of a cluster, as seen by its parent. The script of the process determines the messages that the process
 * exchanges with its parent.
 */
export class MemberProcess<To extends Typed = ToMember, From extends Typed = FromMember> {
  /** Promise that rejects if the process fails or ends before it is asked to end; it never resolves. */
  readonly failure: Promise<never>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, (message: From) => void>();
  readonly #exited: Promise<void>;
  #dismissed = false;

  /** Starts the process. */
  constructor({
    name,
    onProgress,
    inside = (command) => command,
    script = './member.js',
  }: MemberProcessOptions<ReplyOf<From, 'progress'>>) {
    const [execPath, ...execArgv] = inside([process.execPath]);
    this.#child = fork(fileURLToPath(new URL(script, import.meta.url)), {
      serialization: 'advanced',
      execPath: execPath!,
      execArgv,
      stdio: ['ignore', 'ignore', process.env.TUTTI_DEBUG ? 'inherit' : 'ignore', 'ipc'],
    });
    this.#exited = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    this.failure = new Promise((_, reject) => {
      this.#child.on('message', (message: From & { readonly line?: string }) => {
        if (message.type === 'progress') onProgress(message as ReplyOf<From, 'progress'>);
        else if (message.type === 'failed') reject(new EnvironmentError('process-failed', `${name}: ${message.line}`));
        else this.#waiting.get(message.type)?.(message);
      });
      this.#child.once('error', (cause) =>
        reject(new EnvironmentError('process-failed', `${name}: cannot be started (${cause.message})`, { cause })),
      );
      this.#child.once('exit', (code, signal) => {
        if (this.#dismissed) return;
        const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
        reject(new EnvironmentError('process-died', `${name} ended ${how} before the run was over`));
      });
    });
    // The code that waits for the cluster handles this rejection, so no other code needs to handle it.
    this.failure.catch(() => {});
  }

  /** Process id, or undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message. The message is lost if the process has ended. */
  send(message: To): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Sends a message and waits for the reply. A process that fails never replies; see `failure`. */
  ask<T extends From['type']>(message: To, reply: T): Promise<ReplyOf<From, T>> {
    const answered = this.answer(reply);
    this.send(message);
    return answered;
  }

  /** Waits for the next message of the given type. */
  answer<T extends From['type']>(reply: T): Promise<ReplyOf<From, T>> {
    return new Promise((resolve) => {
      this.#waiting.set(reply, (answer) => resolve(answer as ReplyOf<From, T>));
    });
  }

  /** Kills the process, to simulate a failure of its machine. The promise resolves when the process has ended. */
  async kill(): Promise<void> {
    this.#dismissed = true;
    if (this.#child.pid === undefined) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Asks the process to end, and kills it after 1 s. The promise resolves when the process has ended. */
  async dismiss(): Promise<void> {
    this.#dismissed = true;
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
    clearTimeout(kill);
  }
}

/** All processes of a cluster, each with its part number. */
export class MemberProcesses<To extends Typed = ToMember, From extends Typed = FromMember> {
  readonly all: readonly MemberProcess<To, From>[];

  /** Starts the processes. @param onFailure called with the error of each process that fails. */
  constructor(
    count: number,
    onProgress: (k: number, progress: ReplyOf<From, 'progress'>) => void,
    onFailure: (error: Error) => void,
    script?: string,
  ) {
    this.all = Array.from({ length: count }, (_, k) => {
      const member = new MemberProcess<To, From>({
        name: `process ${k + 1} of ${count}`,
        onProgress: (progress) => onProgress(k, progress),
        ...(script !== undefined && { script }),
      });
      member.failure.catch(onFailure);
      return member;
    });
  }

  /** Sends the same message to all processes. */
  send(message: To): void {
    for (const member of this.all) member.send(message);
  }

  /** Sends each process its message and waits for all replies. */
  ask<T extends From['type']>(reply: T, message: (k: number) => To): Promise<ReplyOf<From, T>[]> {
    return Promise.all(this.all.map((member, k) => member.ask(message(k), reply)));
  }

  /** Ends all processes; see {@link MemberProcess.dismiss}. */
  async dismiss(): Promise<void> {
    await Promise.all(this.all.map((member) => member.dismiss()));
  }
}

/** Sends a message to the parent of this process. Without a parent, this function has no effect. */
export function sendToParent<From>(message: From): void {
  if (process.connected) process.send!(message);
}

/** Reports an error to the parent process, and ends this process. */
export function fail(error: Error): void {
  if (!process.connected) process.exit(1);
  const line = process.env.TUTTI_DEBUG ? (error.stack ?? error.message) : error.message;
  process.send!({ type: 'failed', line }, () => process.exit(1));
}

/** Handles messages from the parent process. This process ends when its parent ends. */
export function serveParent<To>(onMessage: (message: To) => Promise<void> | void): void {
  process.on('message', (message: To) => void (async () => onMessage(message))().catch(fail));
  process.on('uncaughtException', fail);
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal, but only the parent decides when this process ends.
  process.on('SIGINT', () => {});
}
