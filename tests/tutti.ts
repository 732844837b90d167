import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '@tutti/core';

export const bin = fileURLToPath(new URL('../apps/node-cli/bin/tutti.js', import.meta.url));

export { temporaryFolder } from '../apps/node-cli/test/temporaryFolder.ts';

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** Resolves with the result when the process ends. */
  readonly finished: Promise<Finished>;
}

/** Starts the built `tutti`, without progress lines, because these depend on timing. */
export const start = (...args: string[]): Started => startWith({ TUTTI_PROGRESS: 'none' }, args);

/** @param env environment variables in addition to those of this process. */
export function startWith(env: Readonly<Record<string, string>>, args: readonly string[]): Started {
  const child = spawn(process.execPath, [bin, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  return { child, finished: finishedOf(child) };
}

/** Resolves with the output of a process when the process ends. */
export function finishedOf(child: ChildProcess): Promise<Finished> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

/** Returns the pattern's first group as soon as the output matches it. Rejects if the process ends first. */
export function printed({ child, finished }: Started, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        text += chunk;
        const found = pattern.exec(text);
        if (found !== null) resolve(found[1]!);
      });
    void finished.then(({ code, err }) => reject(new Error(`ended with exit code ${code}: ${err}`)));
  });
}

export function tutti(...args: string[]): Promise<Finished> {
  return start(...args).finished;
}

/** Content of the file that a cluster writes for `--ports-file`. */
export interface Ready {
  readonly nodes: readonly Endpoint[];
  readonly processes: readonly number[];
}

/** Resolves when a file with this name exists in the folder. Call this function before the file can exist. */
export function appears(folder: string, name: string): Promise<string> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, changed) => {
      if (changed !== name) return;
      watcher.close();
      resolve(join(folder, name));
    });
  });
}

/** Starts `tutti`, and ends it by a signal as soon as a count of what is in a folder is at least a number. */
export async function endedAt(
  signal: NodeJS.Signals,
  folder: string,
  count: () => number,
  least: number,
  args: readonly string[],
): Promise<Finished> {
  const { child, finished } = start(...args);
  await grows(folder, count, least, finished);
  child.kill(signal);
  return finished;
}

/** Resolves when a count in this folder is at least a number. Rejects if the process that writes ends before. */
export async function grows(
  folder: string,
  count: () => number,
  least: number,
  writer: Promise<Finished>,
): Promise<void> {
  const watcher = watch(folder, { recursive: true });
  const isEnough = () => count() >= least;
  try {
    while (!isEnough()) {
      const changed = once(watcher, 'change').then(() => undefined);
      const ended = await Promise.race([changed, isEnough() ? undefined : writer]);
      if (ended !== undefined && !isEnough()) throw new Error(`expected ${least}, got ${JSON.stringify(ended)}`);
    }
  } finally {
    watcher.close();
  }
}
