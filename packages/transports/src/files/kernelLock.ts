import { spawnSync } from 'node:child_process';
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { EnvironmentError } from '@tutti/core/input';

/** An open file that the operating system has locked for this process. */
export interface KernelLock {
  /** Returns whether a path still leads to the locked file. */
  isAt(path: string): boolean;
  /** Replaces the content of the file. */
  write(text: string): void;
  /** Releases the lock. */
  close(): void;
}

/**
 * Opens a file, creating it if necessary, and locks the file. The lock belongs to the open file, not to its path. The
 * operating system releases the lock whenever the process ends, regardless of process ids and host names.
 *
 * Node has no function that locks a file on Linux. `flock(1)` of util-linux or BusyBox inherits the open file, locks
 * the file and exits. The lock remains after `flock(1)` exits, because this process still has the file open. A native
 * add-on would require a compiled binary for each platform. On macOS, BSD and Windows a flag of `open` locks the file.
 * Deno has a built-in function that locks a file.
 *
 * @returns undefined while another process, or this process itself, holds the lock on the file.
 * @throws EnvironmentError `lock-unavailable`; EnvironmentError `cannot-write` if the path exists and is not a regular
 * file; errors of the file system.
 */
export function tryKernelLock(path: string): KernelLock | undefined {
  const { Deno } = globalThis as { readonly Deno?: DenoFiles };
  if (Deno !== undefined) return lockedByDeno(Deno, path);
  const exclusive = exclusiveFlags[process.platform];
  return exclusive === undefined ? lockedByFlock(path) : lockedByOpen(path, exclusive);
}

const lockMode = 0o600;
/** Flags with which `open` creates the file, but never follows a symbolic link and never waits for a pipe or a lock. */
const openFlags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Additional flags with which `open` locks the file: `O_EXLOCK` on macOS and the BSDs, and libuv's `UV_FS_O_EXLOCK` on
 * Windows, which opens the file without sharing.
 */
const exclusiveFlags: Partial<Record<NodeJS.Platform, number>> = {
  darwin: 0x20,
  freebsd: 0x20,
  netbsd: 0x20,
  openbsd: 0x20,
  win32: 0x1000_0000,
};

function lockedFile(fd: number): KernelLock {
  return {
    isAt: (path) => isSameFile(fstatSync(fd, { bigint: true }), path),
    write(text) {
      ftruncateSync(fd, 0);
      writeSync(fd, text, 0);
    },
    close: () => closeSync(fd),
  };
}

interface FileIdentity {
  readonly dev: bigint | number | null;
  readonly ino: bigint | number | null;
  readonly nlink: bigint | number | null;
}

function isSameFile({ dev, ino, nlink }: FileIdentity, path: string): boolean {
  const standing = statSync(path, { bigint: true, throwIfNoEntry: false });
  return standing !== undefined && Number(nlink) > 0 && standing.ino === BigInt(ino!) && standing.dev === BigInt(dev!);
}

function lockedByOpen(path: string, exclusive: number): KernelLock | undefined {
  let fd: number;
  try {
    fd = openSync(path, openFlags | exclusive, lockMode);
  } catch (error) {
    if (['EAGAIN', 'EWOULDBLOCK', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    if (!fstatSync(fd).isFile()) throw notRegular(path);
    return lockedFile(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function lockedByFlock(path: string): KernelLock | undefined {
  const fd = openSync(path, openFlags, lockMode);
  try {
    if (!fstatSync(fd).isFile()) throw notRegular(path);
    if (flock(path, fd)) {
      requireExclusion(path, fd);
      return lockedFile(fd);
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return undefined;
}

/** Possible paths of the `flock` program. The usual paths come first, because PATH may be empty. */
const flockPrograms = ['/usr/bin/flock', '/bin/flock', 'flock'];

/** Locks an open file with `flock(1)`. @returns false while another open file holds the lock. */
function flock(path: string, fd: number): boolean {
  for (const program of flockPrograms) {
    const { error, status, stderr } = spawnSync(program, ['-x', '-n', '0'], { stdio: [fd, 'ignore', 'pipe'] });
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') continue;
    if (status === 0) return true;
    const said = error?.message ?? String(stderr).trim();
    if (status === 1 && said === '') return false;
    throw unavailable(path, said);
  }
  throw unavailable(path, "the program 'flock' is missing; install util-linux or BusyBox");
}

/**
 * Checks that the lock works. In a runtime that does not pass the open file to the program, the lock would silently
 * have no effect.
 */
function requireExclusion(path: string, fd: number): void {
  if (isListedAsLocked(fd)) return;
  const other = openSync(path, constants.O_RDWR);
  try {
    if (flock(path, other)) throw unavailable(path, 'this runtime cannot pass an open file to another program');
  } finally {
    closeSync(other);
  }
}

/** Returns whether Linux lists a lock on an open file. Containers such as gVisor's list no locks. */
function isListedAsLocked(fd: number): boolean {
  try {
    return /^lock:.*\bFLOCK\b.*\bWRITE\b/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'));
  } catch {
    return false;
  }
}

interface DenoFile {
  tryLockSync(exclusive: boolean): boolean;
  statSync(): FileIdentity & { readonly isFile: boolean };
  truncateSync(length: number): void;
  writeSync(bytes: Uint8Array): number;
  close(): void;
}

interface DenoFiles {
  openSync(path: string, options: object): DenoFile;
}

function lockedByDeno({ openSync: open }: DenoFiles, path: string): KernelLock | undefined {
  const file = open(path, { read: true, write: true, create: true, mode: lockMode });
  try {
    if (!file.statSync().isFile) throw notRegular(path);
    if (file.tryLockSync(true))
      return {
        isAt: (name) => isSameFile(file.statSync(), name),
        write(text) {
          file.truncateSync(0);
          file.writeSync(new TextEncoder().encode(text));
        },
        close: () => file.close(),
      };
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

function notRegular(path: string): EnvironmentError {
  return new EnvironmentError(
    'cannot-write',
    `${path}: expected a regular file or nothing, got something else; remove it`,
  );
}

function unavailable(path: string, why: string): EnvironmentError {
  return new EnvironmentError('lock-unavailable', `${path}: cannot be locked: ${why}`);
}

/** Maximum number of attempts to lock the file. An attempt fails only if the file was removed during the attempt. */
const maxAttempts = 1000;

/**
 * Locks the file at a path, or returns undefined while the lock is held.
 *
 * @param tryLock function that locks a file. A test replaces the default function.
 * @throws the errors of {@link tryKernelLock}.
 */
export function takeLock(path: string, tryLock: typeof tryKernelLock = tryKernelLock): KernelLock | undefined {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const lock = tryLock(path);
    if (lock === undefined) return undefined;
    // The holder removes the file when releasing the lock, and a lock on a removed file excludes no process.
    let isInPlace = false;
    try {
      isInPlace = lock.isAt(path);
    } finally {
      if (!isInPlace) lock.close();
    }
    if (isInPlace) return lock;
  }
  return undefined;
}
