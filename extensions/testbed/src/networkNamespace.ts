import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { firstLine, mortal, runTool, toolFailed } from './tools.ts';

/**
 * A network namespace without a name, held by a process of ours that waits for our end: when we are gone, however that
 * came about, so is the process, and with the last process of a namespace the kernel takes the namespace. Nothing is
 * left to clean up.
 */
export class NetworkNamespace {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  /** @throws WorldError `tool-failed` where namespaces may not be made. */
  static async open(): Promise<NetworkNamespace> {
    const [program, ...args] = mortal(['unshare', '--net', '--', 'cat']);
    // Detached, so that the Ctrl-C of a terminal reaches us alone.
    const holder = spawn(program!, args, { stdio: 'pipe', detached: true });
    const complaint = firstLine(holder);
    holder.stdin.on('error', () => {});
    // It answers as soon as it is in its namespace.
    holder.stdin.write('\n');
    await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')]);
    if (holder.exitCode !== null) throw toolFailed('unshare --net', complaint());
    return new NetworkNamespace(holder);
  }

  /** A process in it. */
  get pid(): number {
    return this.#holder.pid!;
  }

  /** The command line that runs a command in it, at most until this process ends. */
  inside(command: readonly string[]): readonly string[] {
    return ['nsenter', `--net=/proc/${this.pid}/ns/net`, '--', ...mortal(command)];
  }

  /** Lets `ip` run a list of commands in it, one a line. */
  ip(batch: string): Promise<void> {
    return runTool(this.inside(['ip', '-batch', '-']), batch);
  }

  /** Lets go of it. */
  async close(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return;
    const closed = once(this.#holder, 'close');
    this.#holder.stdin!.end();
    await closed;
  }
}
