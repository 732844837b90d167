import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** End of a temporary file's name: process id, host, and a random number. */
const partSuffix = /\.(\d{1,10})\.([A-Za-z0-9-]{1,63})\.[0-9a-f]{8}\.part$/;

/**
 * Name of the machine on which this process runs, with the namespace of its process id, as part of a file name. A
 * process id is meaningless without both.
 */
export const host = `${namespaceOfIds()}${hostname()}`.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 63) || '-';

/**
 * Returns the namespace of process ids; empty on systems without such namespaces. Containers may share a host name and
 * a volume without sharing process ids.
 */
function namespaceOfIds(): string {
  try {
    return `${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))![0]}-`;
  } catch {
    return '';
  }
}

/** Temporary files that this process is writing. */
const writing = new Set<string>();

/**
 * Runs a function with the name of a new temporary file in the folder of a path. Afterwards, the temporary file is
 * removed if it still exists.
 */
export function withPart(path: string, use: (part: string) => void): void {
  const part = `${path}.${process.pid}.${host}.${randomBytes(4).toString('hex')}.part`;
  writing.add(part);
  try {
    use(part);
  } finally {
    rmSync(part, { force: true });
    writing.delete(part);
  }
}

/** Folders that this process has already searched for temporary files. */
const cleared = new Set<string>();

/**
 * Removes the temporary files that ended processes of this machine left in a folder; the current process does so once
 * per folder. Files remain if their folder cannot be read or another user owns them.
 */
export function clearParts(folder: string): void {
  if (cleared.has(folder)) return;
  cleared.add(folder);
  // A command must not fail because of a file that remains.
  for (const name of ifPossible(() => readdirSync(folder)) ?? []) {
    const [suffix, pid, of] = partSuffix.exec(name) ?? [];
    const part = join(folder, name);
    if (suffix !== undefined && isAbandoned(part, Number(pid), of!)) ifPossible(() => rmSync(part, { force: true }));
  }
}

/** Returns the result of a function, or undefined if it throws. */
function ifPossible<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/**
 * Returns whether no process is writing a temporary file; false for files from other machines and containers, whose
 * processes cannot be checked from this process. A file with this process's id may be from an earlier process, because
 * a container can give every process the same id.
 */
function isAbandoned(part: string, pid: number, of: string): boolean {
  if (of !== host) return false;
  return pid === process.pid ? !writing.has(part) : !isRunning(pid);
}

/** Returns whether this machine has a running process with the given id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // With this error code, the process exists but belongs to another user, so this process may not signal it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
