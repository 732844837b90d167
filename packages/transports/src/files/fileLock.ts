import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { requireText, WorldError } from '@tutti/core/input';
import { type KernelLock, tryKernelLock } from './kernelLock.ts';
import { pointedTo, requireNoMount } from './paths.ts';

/** Code and advice of the error that {@link FileLock} throws if another process holds the lock. */
export interface FileLockOptions {
  /** Code of the error. Default: `locked`. */
  readonly code?: string;
  /** Advice at the end of the error's message. Default: to wait, or to choose another file. */
  readonly advice?: string;
}

/**
 * Reserves a file for one process. The lock is on a file next to it, `….lock`. The operating system releases it when
 * the process ends. Containers that share a volume exclude each other, whatever their process ids and host names are.
 * Symbolic links are followed first. A second hard link is another name with its own lock: reject such files with
 * {@link requireOneName}. So is a mount of a single file, which Linux lists and this class rejects.
 *
 * On a network file system, the lock depends on that system's `flock`. NFS and SMB forward it to the server, unless
 * they are mounted with `nolock`, `local_lock` or `nobrl`. In that case only processes of one machine exclude each
 * other.
 */
export class FileLock {
  /** Path of the reserved file, with symbolic links followed. */
  readonly target: string;
  readonly #path: string;
  #lock: KernelLock | undefined;

  /** @throws WorldError `locked`, `lock-unavailable`, `cannot-write`; `ambiguous-names` for a mount of a single file. */
  constructor(path: string, { code = 'locked', advice = defaultAdvice }: FileLockOptions = {}) {
    requireText('path', path);
    this.target = pointedTo(path);
    requireNoMount(this.target);
    this.#path = `${this.target}.lock`;
    try {
      this.#lock = takeLock(this.#path);
    } catch (cause) {
      if (cause instanceof WorldError) throw cause;
      const { code: system, message } = cause as NodeJS.ErrnoException;
      throw new WorldError('cannot-write', `${this.#path}: cannot be written (${system ?? message})`, { cause });
    }
    if (this.#lock === undefined) throw new WorldError(code, `${path}: ${holderOf(this.#path)} has it; ${advice}`);
    recordHolder(this.#lock);
  }

  /** Releases the lock and removes its file. */
  release(): void {
    const lock = this.#lock;
    this.#lock = undefined;
    if (lock === undefined) return;
    // A user may have removed the file, and another process may have locked a new one.
    const isOwn = lock.isAt(this.#path);
    // The file is removed before the lock ends. A process that has already opened it then finds that it no longer
    // exists. Windows does not remove open files.
    if (isOwn && process.platform !== 'win32') removeIfPossible(this.#path);
    lock.close();
    if (isOwn && process.platform === 'win32') removeIfPossible(this.#path);
  }
}

const defaultAdvice = 'wait until it ends, or choose another file';

/** Maximum number of attempts. An attempt fails only if another process has released the lock in the meantime. */
const maxAttempts = 1000;

/**
 * Takes a lock, or returns undefined while another process holds it.
 *
 * @param tryLock locks a file. A test replaces this function.
 */
export function takeLock(path: string, tryLock: typeof tryKernelLock = tryKernelLock): KernelLock | undefined {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const lock = tryLock(path);
    if (lock === undefined) return undefined;
    // The holder removes the file when it releases the lock, and a lock on a removed file excludes no process.
    if (lock.isAt(path)) return lock;
    lock.close();
  }
  return undefined;
}

/**
 * Writes the holder of the lock for the messages of other processes. Nothing else depends on it, so a full disk is not
 * an error.
 */
function recordHolder(lock: KernelLock): void {
  try {
    lock.write(`${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
  } catch {
    // Messages then say "another process".
  }
}

const hostPattern = /^[\w.-]{1,255}$/;

function holderOf(path: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8'));
    if (Number.isSafeInteger(pid) && hostPattern.test(host)) return `process ${pid} of ${host}`;
  } catch {
    // The holder has not been written yet, or the file cannot be read, as on Windows.
  }
  return 'another process';
}

/** Removes a file, if possible. A remaining file holds no lock, and the next process locks it again. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
