import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WorldError } from '@tutti/core/input';
import type { FromMember, ToMember } from './messages.ts';

/** Time after which a process that was asked to end is killed, ms. */
const patienceMs = 1000;

/** A message with its type. */
interface Typed {
  readonly type: string;
}
type ReplyOf<From extends Typed, T extends From['type']> = Extract<From, { type: T }>;
/** Progress that a process of a cluster reports. */
export type ProcessProgress = ReplyOf<FromMember, 'progress'>;

/** Options of a {@link MemberProcess}. */
export interface MemberProcessOptions<Progress> {
  /** Name of the process in errors. */
  readonly name: string;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Converts a command line to one that runs it elsewhere, such as in a network namespace, as the same process. Default:
   * the same command line.
   */
  readonly inside?: (command: readonly string[]) => readonly string[];
  /** Script to run, relative to this file. Default: `./member.js`. */
  readonly script?: string;
}

/** A process of a cluster, seen from its parent. Its script determines the messages between them. */
export class MemberProcess<To extends Typed = ToMember, From extends Typed = FromMember> {
  /** Rejects if the process fails or ends before it is asked to; never resolves. */
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
        else if (message.type === 'failed') reject(new WorldError('process-failed', `${name}: ${message.line}`));
        else this.#waiting.get(message.type)?.(message);
      });
      this.#child.once('error', (cause) =>
        reject(new WorldError('process-failed', `${name}: cannot be started (${cause.message})`, { cause })),
      );
      this.#child.once('exit', (code, signal) => {
        if (this.#dismissed) return;
        const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
        reject(new WorldError('process-died', `${name} ended ${how} before the run was over`));
      });
    });
    // The code that waits for the cluster handles this rejection; no other code needs to.
    this.failure.catch(() => {});
  }

  /** Process id, or undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message. It is lost if the process has ended. */
  send(message: To): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Sends a message and waits for its answer. A process that fails never answers; see `failure`. */
  ask<T extends From['type']>(message: To, reply: T): Promise<ReplyOf<From, T>> {
    const answered = this.answer(reply);
    this.send(message);
    return answered;
  }

  /** Waits for the next message of a type. */
  answer<T extends From['type']>(reply: T): Promise<ReplyOf<From, T>> {
    return new Promise((resolve) => {
      this.#waiting.set(reply, (answer) => resolve(answer as ReplyOf<From, T>));
    });
  }

  /** Kills the process, as a failure of its machine would, and resolves when it is gone. */
  async kill(): Promise<void> {
    this.#dismissed = true;
    if (this.#child.pid === undefined) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Ends the process in any state, and resolves when it is gone. */
  async dismiss(): Promise<void> {
    this.#dismissed = true;
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
    clearTimeout(kill);
  }
}
