import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { firstLine, mortal, runTool, toolFailed } from './tools.ts';

/**
 * A network namespace without a name, held by a child process that ends with this process, however this process ends.
 * The kernel removes a namespace with its last process, so nothing is left to clean up.
 */
export class NetworkNamespace {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  /** Opens a namespace. @throws WorldError `tool-failed` if namespaces cannot be created. */
  static async open(): Promise<NetworkNamespace> {
    const [program, ...args] = mortal(['unshare', '--net', '--', 'cat']);
    // Detached, so that a terminal's Ctrl-C reaches only this process.
    const holder = spawn(program!, args, { stdio: 'pipe', detached: true });
    const complaint = firstLine(holder);
    holder.stdin.on('error', () => {});
    // The child answers as soon as it is in its namespace.
    holder.stdin.write('\n');
    await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')]);
    if (holder.exitCode !== null) throw toolFailed('unshare --net', complaint());
    return new NetworkNamespace(holder);
  }

  /** A process in the namespace. */
  get pid(): number {
    return this.#holder.pid!;
  }

  /** Returns the command line that runs a command in it, at most until this process ends. */
  inside(command: readonly string[]): readonly string[] {
    return ['nsenter', `--net=/proc/${this.pid}/ns/net`, '--', ...mortal(command)];
  }

  /** Runs a list of `ip` commands in it, one per line. */
  ip(batch: string): Promise<void> {
    return runTool(this.inside(['ip', '-batch', '-']), batch);
  }

  /** Releases the namespace. */
  async close(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return;
    const closed = once(this.#holder, 'close');
    this.#holder.stdin!.end();
    await closed;
  }
}
