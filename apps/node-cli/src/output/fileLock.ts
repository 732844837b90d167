import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { WorldError } from '@tutti/transports/errors';
import { isRunning } from './isRunning.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Reserves a file for one process: a file beside it, `….lock`, names the process that has it. A lock left by a process
 * of this machine that was killed is taken over.
 */
export class FileLock {
  readonly #path: string;

  /** @throws WorldError `locked`; `cannot-write`. */
  constructor(path: string) {
    this.#path = `${path}.lock`;
    if (create(this.#path)) return;
    // Two processes that find the same lock stale must not both take it: only the holder of this one may.
    const guard = `${this.#path}.takeover`;
    if (!create(guard)) throw this.#locked(path);
    try {
      if (!isStale(this.#path)) throw this.#locked(path);
      rmSync(this.#path, { force: true });
      if (!create(this.#path)) throw this.#locked(path);
    } finally {
      rmSync(guard, { force: true });
    }
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #locked(path: string): WorldError {
    const holder = holderOf(this.#path);
    const who = holder === undefined ? 'another process' : `process ${holder.pid} of ${holder.host}`;
    return new WorldError(
      'locked',
      `${path}: ${who} writes to it; wait until it ends, or choose another file (if it is gone, remove ${this.#path})`,
    );
  }
}

/** Whether the lock could be made; false when there is one. */
function create(path: string): boolean {
  try {
    const file = openSync(path, 'wx');
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
    } finally {
      closeSync(file);
    }
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new WorldError('cannot-write', `${path}: cannot be written (${code})`, { cause });
  }
}

function isStale(path: string): boolean {
  const holder = holderOf(path);
  return holder !== undefined && holder.host === hostname() && !isRunning(holder.pid);
}

/** Undefined for a lock that is gone, or is being written. */
function holderOf(path: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}
