/**
 * Exclusive access to files between processes, in Node. {@link FileLock} excludes other processes, including those of
 * other containers with the same volume. The operating system releases the lock when the process that holds it ends.
 * Other functions follow links, reject files that have several names, and write the entries of a folder to the disk.
 *
 * @example
 * ```js
 * import { FileLock } from '@tutti/transports/files';
 *
 * const lock = new FileLock('results.jsonl');
 * try {
 *   new FileLock('results.jsonl');
 * } catch (error) {
 *   console.log(error.code);
 * }
 * lock.release();
 * ```
 *
 * ```text
 * locked
 * ```
 *
 * @packageDocumentation
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { EnvironmentError, requireText } from '@tutti/core/input';
import { type KernelLock, takeLock } from './files/kernelLock.ts';

/** Code and advice of the error that {@link FileLock} throws if the lock is already held. */
export interface FileLockOptions {
  /** Code of the error. Default: `locked`. */
  readonly code?: string;
  /** Advice at the end of the error message. Default: advice to wait, or to choose another file. */
  readonly advice?: string;
}

/**
 * Reserves a file for one process. The lock is held on a separate file next to the reserved one, `….lock`. The
 * operating system releases the lock when the process ends. Containers that share a volume exclude each other,
 * regardless of their process ids and host names. Symbolic links are followed before locking. A second hard link is a
 * different name with its own lock; reject such files with {@link requireOneName}. A mount of a single file also has
 * its own lock; Linux lists such mounts, and this class rejects them.
 *
 * On a network file system, the lock depends on that system's `flock`. NFS and SMB forward `flock` to the server,
 * unless they are mounted with `nolock`, `local_lock` or `nobrl`. With these mount options, only processes on the same
 * machine exclude each other.
 */
export class FileLock {
  /** Path of the reserved file, with symbolic links followed. */
  readonly target: string;
  readonly #path: string;
  #lock: KernelLock | undefined;

  /**
   * @throws EnvironmentError `locked` (or the given code), `lock-unavailable` or `cannot-write`; `ambiguous-names` if
   * the path is a mount of a single file.
   */
  constructor(path: string, { code = 'locked', advice = defaultAdvice }: FileLockOptions = {}) {
    requireText('path', path);
    try {
      this.target = pointedTo(path);
      requireNoMount(this.target);
      this.#path = `${this.target}.lock`;
      this.#lock = takeLock(this.#path);
    } catch (cause) {
      if (cause instanceof EnvironmentError) throw cause;
      const { code: system, message } = cause as NodeJS.ErrnoException;
      throw new EnvironmentError('cannot-write', `${path}.lock: cannot be written (${system ?? message})`, { cause });
    }
    if (this.#lock === undefined)
      throw new EnvironmentError(code, `${path}: ${holderOf(this.#path)} has it; ${advice}`);
    recordHolder(this.#lock);
  }

  /** Releases the lock and removes the lock file. */
  release(): void {
    const lock = this.#lock;
    this.#lock = undefined;
    if (lock === undefined) return;
    let isOwn = false;
    try {
      // A user may have removed the file, and another process may then have locked a new one.
      isOwn = lock.isAt(this.#path);
      // The file is removed before the lock ends. A process that has already opened the lock file then finds that the
      // file no longer exists. Windows does not remove open files.
      if (isOwn && process.platform !== 'win32') removeIfPossible(this.#path);
    } finally {
      lock.close();
    }
    if (isOwn && process.platform === 'win32') removeIfPossible(this.#path);
  }
}

const defaultAdvice = 'wait until it ends, or choose another file';

/**
 * Writes the holder of the lock into the lock file, for error messages of other processes. Only error messages depend
 * on this entry, so a full disk is not an error.
 */
function recordHolder(lock: KernelLock): void {
  try {
    lock.write(`${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
  } catch {
    // Without an entry, error messages say "another process".
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

/** Removes a file, if possible. A remaining lock file holds no lock, and the next process locks the file again. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** Maximum number of symbolic links to follow, as in Linux. */
const maxLinks = 40;

/**
 * Returns the target of a path after following symbolic links. The file itself need not exist.
 *
 * @throws EnvironmentError `cannot-write` for more than 40 links.
 */
export function pointedTo(path: string): string {
  let name = path;
  for (let links = 0; links <= maxLinks; links++) {
    const standing = lstatSync(name, { throwIfNoEntry: false });
    if (standing === undefined)
      return existsSync(dirname(name)) ? join(realpathSync.native(dirname(name)), basename(name)) : resolve(name);
    if (!standing.isSymbolicLink()) return realpathSync.native(name);
    const target = readlinkSync(name);
    // For the system, `..` after a link is the parent of the link's target. `resolve` and `join` would remove both the
    // link and the `..`.
    name = isAbsolute(target) ? target : `${dirname(name)}/${target}`;
  }
  throw new EnvironmentError('cannot-write', `${path}: cannot be written (ELOOP)`);
}

/**
 * Rejects a file with several hard links. A lock belongs to one name of a file, and another process could open the same
 * file under a different name.
 *
 * @param links number of hard links of the file.
 * @throws EnvironmentError `ambiguous-names`.
 */
export function requireOneName(path: string, links: number): void {
  if (links > 1)
    throw new EnvironmentError(
      'ambiguous-names',
      `${path}: has ${links} names (hard links), so another process may write to it under another name; use a copy of the file`,
    );
}

/**
 * Rejects a file that is a mount point, such as a single file that a container mounts. Each mount of the file has a
 * separate lock, and a rewritten file cannot replace a mount point.
 *
 * @param path path without symbolic links.
 * @param mounts content of `/proc/self/mountinfo`, which only Linux has. Default: the mounts of this process.
 * @throws EnvironmentError `ambiguous-names`.
 */
export function requireNoMount(path: string, mounts: string = mountsOfProcess()): void {
  const unescaped = (text = ''): string =>
    text.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  if (mounts.split('\n').every((line) => unescaped(line.split(' ')[4]) !== path)) return;
  throw new EnvironmentError(
    'ambiguous-names',
    `${path}: is a mount of a single file, so another process may write to it under another name; mount its folder instead`,
  );
}

function mountsOfProcess(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/** System calls that sync a folder. A test replaces them with failing ones. */
export interface FolderFiles {
  readonly openSync: (path: string, flags: string) => number;
  readonly fsyncSync: (fd: number) => void;
  readonly closeSync: (fd: number) => void;
}

/**
 * Writes the directory entries of a folder to the disk. Without it, a power failure can undo a rename or remove a new
 * file.
 */
export function syncFolder(path: string, files: FolderFiles = { openSync, fsyncSync, closeSync }): void {
  let folder: number;
  try {
    folder = files.openSync(path, 'r');
  } catch (error) {
    ignoreIfUnsupported(error);
    return;
  }
  try {
    files.fsyncSync(folder);
  } catch (error) {
    ignoreIfUnsupported(error);
  } finally {
    files.closeSync(folder);
  }
}

/** Ignores errors of systems that cannot open or sync folders, such as Windows and some network file systems. */
function ignoreIfUnsupported(error: unknown): void {
  if (!['EINVAL', 'EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
