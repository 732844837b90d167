import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endingWithParent, firstErrorLine, hasEnded, runTool, toolFailed } from './tools.ts';

/**
 * An unnamed network namespace, held by a child process that ends with this process, even if this process is killed.
 * The kernel removes a namespace when the last process in it ends, so no cleanup is necessary.
 */
export class NetworkNamespace {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  /** Opens a namespace. @throws EnvironmentError `tool-failed` if namespaces cannot be created. */
  static async open(): Promise<NetworkNamespace> {
    const [program, ...args] = endingWithParent(['unshare', '--net', '--', 'cat']);
    // The process is detached, so that a terminal's Ctrl-C reaches only this process.
    const holder = spawn(program!, args, { stdio: 'pipe', detached: true });
    const complaint = firstErrorLine(holder);
    holder.stdin.on('error', () => {});
    // The child answers once it is in its namespace.
    holder.stdin.write('\n');
    // If the program cannot be started, the child emits an error, and `hasEnded` is true.
    await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')]).catch(() => {});
    if (hasEnded(holder)) throw toolFailed('unshare --net', complaint());
    return new NetworkNamespace(holder);
  }

  /** Id of a process in the namespace. */
  get pid(): number {
    return this.#holder.pid!;
  }

  /**
   * Returns the command line that runs a command in the namespace. The command ends when this process ends, or earlier.
   */
  inside(command: readonly string[]): readonly string[] {
    return ['nsenter', `--net=/proc/${this.pid}/ns/net`, '--', ...endingWithParent(command)];
  }

  /** Runs a list of `ip` commands in the namespace, one per line. */
  ip(batch: string): Promise<void> {
    return runTool(this.inside(['ip', '-batch', '-']), batch);
  }

  /** Releases the namespace. */
  async close(): Promise<void> {
    if (hasEnded(this.#holder)) return;
    const closed = once(this.#holder, 'close');
    this.#holder.stdin!.end();
    await closed;
  }
}
