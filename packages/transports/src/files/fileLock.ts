import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { WorldError } from '@tutti/core/errors';
import { requireText } from '@tutti/core/input';
import { type KernelLock, tryKernelLock } from './kernelLock.ts';
import { pointedTo } from './paths.ts';

/** The error of a {@link FileLock} that another process holds. */
export interface FileLockOptions {
  /** The error's code. Default: `locked`. */
  readonly code?: string;
  /** The end of its message: what to do. Default: to wait, or to choose another file. */
  readonly advice?: string;
}

/**
 * Reserves a file for one process. The lock is on a file beside it, `….lock`, and the operating system ends it when the
 * process ends. Containers that share a volume exclude each other, whatever their process ids and host names are.
 * Symbolic links are followed first. A second hard link is another name with a lock of its own: refuse those with
 * {@link requireOneName}.
 *
 * On a network file system the lock is as good as the file system's `flock`. NFS and SMB forward it to the server,
 * unless they are mounted with `nolock`, `local_lock` or `nobrl`; then only processes of one machine exclude each other.
 */
export class FileLock {
  /** Path of the reserved file, symbolic links followed. */
  readonly target: string;
  readonly #path: string;
  #lock: KernelLock | undefined;

  /** @throws WorldError `locked`, `lock-unavailable`, `cannot-write`. */
  constructor(path: string, { code = 'locked', advice = defaultAdvice }: FileLockOptions = {}) {
    requireText('path', path);
    this.target = pointedTo(path);
    this.#path = `${this.target}.lock`;
    try {
      this.#lock = takeLock(this.#path);
    } catch (cause) {
      if (cause instanceof WorldError) throw cause;
      const { code: system, message } = cause as NodeJS.ErrnoException;
      throw new WorldError('cannot-write', `${this.#path}: cannot be written (${system ?? message})`, { cause });
    }
    if (this.#lock === undefined) throw new WorldError(code, `${path}: ${holderOf(this.#path)} has it; ${advice}`);
    tellHolder(this.#lock);
  }

  /** Ends the lock and removes its file. */
  release(): void {
    const lock = this.#lock;
    this.#lock = undefined;
    if (lock === undefined) return;
    // Somebody may have removed the file by hand, and another process may have locked a new one.
    const isOwn = lock.isAt(this.#path);
    // Removed before the lock ends: a process that opened this file already finds that it is gone. Windows removes no
    // open file.
    if (isOwn && process.platform !== 'win32') removeIfPossible(this.#path);
    lock.close();
    if (isOwn && process.platform === 'win32') removeIfPossible(this.#path);
  }
}

const defaultAdvice = 'wait until it ends, or choose another file';

/** Each attempt but the last fails only because another process released the lock meanwhile. */
const maxAttempts = 1000;

/**
 * Takes a lock, or returns undefined while another process has it.
 *
 * @param tryLock locks a file; a test puts another in its place.
 */
export function takeLock(path: string, tryLock: typeof tryKernelLock = tryKernelLock): KernelLock | undefined {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const lock = tryLock(path);
    if (lock === undefined) return undefined;
    // The holder removes the file when it releases the lock: a lock on a file without its name excludes nobody.
    if (lock.isAt(path)) return lock;
    lock.close();
  }
  return undefined;
}

/** Writes who holds the lock. Nothing depends on it but a message of others, so a full disk is no reason to fail. */
function tellHolder(lock: KernelLock): void {
  try {
    lock.write(`${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
  } catch {
    // Others then say "another process".
  }
}

const hostPattern = /^[\w.-]{1,255}$/;

function holderOf(path: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8'));
    if (Number.isSafeInteger(pid) && hostPattern.test(host)) return `process ${pid} of ${host}`;
  } catch {
    // Not written yet, or it cannot be read, as on Windows.
  }
  return 'another process';
}

/** A file that is left holds nothing: the next process locks it again. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
