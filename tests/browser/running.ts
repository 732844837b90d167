import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Running {
  readonly child: ChildProcess;
  /** Lines of the command's standard output, as they arrive. */
  readonly lines: AsyncIterator<string>;
}

const children: ChildProcess[] = [];

export function tutti(...args: string[]): Running {
  const child = spawn('node', ['apps/node-cli/bin/tutti.js', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout! })[Symbol.asyncIterator]() };
}

/** Starts a server for a live room. The default port is a free one. */
export async function serveRoom(port = 0): Promise<{ readonly server: Running; readonly link: string }> {
  const server = tutti('serve', '--live', '--host', '127.0.0.1', '--port', String(port), '--room', 'class');
  return { server, link: await until(server, (line) => /http:\/\/\S+/.exec(line)?.[0]) };
}

/** Reads lines until `find` returns a result for a line. */
export async function until<T>({ lines }: Running, find: (line: string) => T | undefined): Promise<T> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const found = find(next.value);
    if (found !== undefined) return found;
  }
  throw new Error('the command ended before it said what was expected');
}

export function endAll(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}
