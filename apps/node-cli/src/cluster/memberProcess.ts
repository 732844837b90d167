import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WorldError } from '@tutti/core/errors';
import type { FromMember, ToMember } from './messages.ts';

/** Time after which a process that was told to end is killed, ms. */
const patienceMs = 1000;

type Reply = FromMember['type'];
type ReplyOf<T extends Reply> = Extract<FromMember, { type: T }>;
export type ProcessProgress = ReplyOf<'progress'>;

/** Handle of a cluster's process in its parent. */
export class MemberProcess {
  /** Rejects if the process fails or ends too early; never resolves. */
  readonly failure: Promise<never>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<Reply, (message: FromMember) => void>();
  readonly #exited: Promise<void>;
  #dismissed = false;

  /**
   * Starts the process.
   *
   * @param inside converts a command line to one that runs it elsewhere, such as in a network namespace, as the same
   * process.
   */
  constructor(
    name: string,
    onProgress: (progress: ProcessProgress) => void,
    inside: (command: readonly string[]) => readonly string[] = (command) => command,
  ) {
    const [execPath, ...execArgv] = inside([process.execPath]);
    this.#child = fork(fileURLToPath(new URL('./member.js', import.meta.url)), {
      serialization: 'advanced',
      execPath: execPath!,
      execArgv,
      stdio: ['ignore', 'ignore', process.env.TUTTI_DEBUG ? 'inherit' : 'ignore', 'ipc'],
    });
    this.#exited = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    this.failure = new Promise((_, reject) => {
      this.#child.on('message', (message: FromMember) => {
        if (message.type === 'progress') onProgress(message);
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
    // The code that waits for the cluster handles this rejection; no other code must.
    this.failure.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: ToMember): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Sends a message and waits for its answer. A process that fails never answers, see `failure`. */
  ask<T extends Reply>(message: ToMember, reply: T): Promise<ReplyOf<T>> {
    return new Promise((resolve) => {
      this.#waiting.set(reply, (answer) => resolve(answer as ReplyOf<T>));
      this.send(message);
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
