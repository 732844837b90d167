import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const bin = fileURLToPath(new URL('../apps/node-cli/bin/tutti.js', import.meta.url));

/** A folder of this test file's own, gone when it is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** What it came to. */
  readonly finished: Promise<Finished>;
}

/** The built `tutti`, started. It tells no progress, which goes by the clock. */
export function start(...args: string[]): Started {
  return startWith({ TUTTI_PROGRESS: 'none' }, args);
}

/** @param env its environment in addition to this process's. */
export function startWith(env: Readonly<Record<string, string>>, args: readonly string[]): Started {
  const child = spawn(process.execPath, [bin, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const finished = new Promise<Finished>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  return { child, finished };
}

export function tutti(...args: string[]): Promise<Finished> {
  return start(...args).finished;
}

/** Resolves when a file of that name stands in the folder. To be called before it can. */
export function appears(folder: string, name: string): Promise<string> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, changed) => {
      if (changed !== name) return;
      watcher.close();
      resolve(join(folder, name));
    });
  });
}
