import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { isBytes, WorldError, withoutMark } from '@tutti/core/input';
import { pointedTo } from '@tutti/transports/files';
import { warn } from '../context.ts';

/** End of a temporary file's name: process id, host, and a random number. */
const partSuffix = /^(.*)\.(\d{1,10})\.([A-Za-z0-9-]{1,63})\.[0-9a-f]{8}\.part$/;

/** Returns a temporary file name for the content of a path while it is incomplete. */
export function partOf(path: string): string {
  return `${path}.${self.pid}.${hostInName(self.host)}.${randomBytes(4).toString('hex')}.part`;
}

/** Temporary files that this process is writing. */
const writing = new Set<string>();
/** Folders that were searched already. */
const cleared = new Set<string>();

/**
 * Removes temporary files that killed processes of this machine left in a folder, once per process. Files of other
 * machines and containers remain, since this process cannot determine whether they are being written.
 */
function clearParts(folder: string): void {
  if (cleared.has(folder)) return;
  cleared.add(folder);
  clearDead(folder, () => true);
}

function clearDead(folder: string, isMeant: (name: string) => boolean): void {
  for (const name of readdirSync(folder)) {
    const [, of, id, host] = partSuffix.exec(name) ?? [];
    if (of === undefined || !isMeant(of)) continue;
    const part = join(folder, name);
    const owner = { pid: Number(id), host: host! };
    if (hasEnded(owner) || (hasOwnId(owner) && !writing.has(part))) rmSync(part, { force: true });
  }
}

/** Name for the standard output in place of a file's name. */
const standardOutput = '-';

/**
 * Writes a file atomically: writes a temporary file in the same folder first, and then renames it. A symbolic link
 * remains, and its target is replaced. `-` is the standard output.
 *
 * @param content the whole content, or its parts one after another, so that it need not be in memory at once.
 * @throws WorldError `not-a-file` if the name belongs to something other than a file; `cannot-write`; any error in
 * generating a part.
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
  mode = 0o666,
): void {
  const parts = typeof content === 'string' || isBytes(content) ? [content] : content;
  if (path === standardOutput) {
    for (const piece of parts) process.stdout.write(piece);
    return;
  }
  requireFile(path);
  const target = pointedTo(path);
  const part = partOf(target);
  writing.add(part);
  try {
    writeSynced(part, parts, mode);
    renameSync(part, target);
    clearParts(dirname(part));
  } catch (cause) {
    rmSync(part, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new WorldError('cannot-write', `${path}: cannot be written (${code})`, { cause });
  } finally {
    writing.delete(part);
  }
}

/** Writes a new file and flushes it to the disk. Otherwise a power failure could leave an empty file of that name. */
export function writeSynced(path: string, content: string | Iterable<string | Uint8Array>, mode = 0o666): void {
  const file = openSync(path, 'wx', mode);
  try {
    for (const piece of typeof content === 'string' ? [content] : content) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Gives a file a second name. @returns false if the file system has no hard links. */
export function linkIfPossible(path: string, name: string): boolean {
  try {
    linkSync(path, name);
    return true;
  } catch (cause) {
    if (['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes((cause as NodeJS.ErrnoException).code ?? ''))
      return false;
    throw cause;
  }
}

/**
 * Requires that a path is a file or does not exist, since only files are replaced.
 *
 * @throws WorldError `not-a-file` for a device, a socket, a pipe or a folder.
 */
export function requireFile(path: string): void {
  const standing = statSync(pointedTo(path), { throwIfNoEntry: false });
  if (standing === undefined || standing.isFile()) return;
  throw new WorldError(
    'not-a-file',
    `${path}: expected a regular file to replace, got something else; choose another name`,
  );
}

/**
 * Checks before long work that its result can be written: tries to write in the file's folder, or in the path itself if
 * it is a folder.
 *
 * @throws WorldError `no-such-folder`; `cannot-write`.
 */
export function requireFolderOf(path: string): void {
  const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  const whole = pointedTo(path);
  const folder = isFolder(whole) ? whole : dirname(whole);
  if (!isFolder(folder))
    throw new WorldError(
      'no-such-folder',
      `${path}: expected the folder ${folder}, found none; create it or choose another`,
    );
  const part = partOf(join(folder, 'try'));
  try {
    writeFileSync(part, 'tutti\n', { flag: 'wx' });
    clearParts(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new WorldError('cannot-write', `${path}: no file can be written in ${folder} (${code})`, { cause });
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Checks before long work that a named file can be written, and that it replaces nothing unless that was
 * requested.
 *
 * @param force true to replace a file of that name.
 * @param name name of the file if the path is a folder.
 * @throws WorldError `no-such-folder`; `file-exists`; `not-a-file`; `cannot-write`.
 */
export function requirePlace(path: string, force: boolean | undefined, name?: string): void {
  if (path === standardOutput) return;
  requireFolderOf(path);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = name !== undefined && isFolder ? join(path, name) : path;
  requireFile(file);
  if (!force) refuseToOverwrite(file);
}

/**
 * Checks as {@link requirePlace} does, for a file that cannot be the standard output: other files are named after it, or
 * the standard output has other content.
 */
export function requireNamed(path: string, force: boolean | undefined, name?: string): void {
  if (path === standardOutput)
    throw new WorldError('not-a-file', `${path}: expected the name of a file, got standard output`);
  requirePlace(path, force, name);
}

/**
 * Rejects a path that exists, so that no earlier result is lost by mistake.
 *
 * @throws WorldError `file-exists`.
 */
export function refuseToOverwrite(path: string): void {
  if (existsSync(path))
    throw new WorldError('file-exists', `${path}: exists already; use --force to replace it, or another name`);
}

/** Returns whether a name stands for the standard output instead of a file. The command then prints nothing else. */
export function isStandardOutput(path: string | undefined): boolean {
  return path === standardOutput;
}

/**
 * Reads a text file, without its byte order mark if it has one.
 *
 * @throws WorldError `cannot-read`, `not-utf8`.
 */
export function readWhole(path: string): string {
  return textOf(path, readBytes(path));
}

/** Returns the text of a file's bytes, without a byte order mark. @throws WorldError `not-utf8`. */
export function textOf(path: string, bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff')
    throw new WorldError('not-utf8', `${path}: expected UTF-8, got UTF-16; save it as UTF-8`);
  return withoutMark(bytes.toString('utf8'));
}

/**
 * Reads a file.
 *
 * @throws WorldError `cannot-read`.
 */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new WorldError('cannot-read', `${path}: cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    });
  }
}

/** Maximum size, bytes: more than a registry of a million nodes. */
const maxNamedBytes = 2 ** 30;

/**
 * Reads a text file that a document or another untrusted text names: a regular file, up to a maximum size. Any other
 * file could block the reader, fill its memory, or have an effect when it is opened.
 *
 * Errors about the content must not quote it: the name may lead to a secret of the user.
 *
 * @throws WorldError `not-a-file`, `too-large`, `cannot-read`, `not-utf8`.
 */
export function readNamed(path: string, maxBytes = maxNamedBytes): string {
  return textOf(path, readNamedBytes(path, maxBytes));
}

/**
 * Reads the bytes of a file that an untrusted text names, as {@link readNamed} does.
 *
 * @throws WorldError `not-a-file`, `too-large`, `cannot-read`.
 */
export function readNamedBytes(path: string, maxBytes = maxNamedBytes): Buffer {
  try {
    // The file is checked first, because opening it may already have an effect. It is opened without blocking, in case
    // it has been replaced in the meantime.
    requireRegular(path, statSync(path), maxBytes);
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      requireRegular(path, fstatSync(file), maxBytes);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (cause instanceof WorldError) throw cause;
    throw new WorldError('cannot-read', `${path}: cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    });
  }
}

function requireRegular(path: string, found: Stats, maxBytes: number): void {
  if (!found.isFile()) throw new WorldError('not-a-file', `${path}: expected a regular file, got something else`);
  if (found.size > maxBytes)
    throw new WorldError('too-large', `${path}: expected at most ${maxBytes} bytes, got ${found.size}`);
}

/**
 * Reads a text file with secrets, and warns if other users can read it. A file without secrets causes no warning,
 * because `parse` throws first.
 *
 * @param parse returns the secrets of the text.
 * @throws WorldError `cannot-read`, `not-utf8`, and the errors of `parse`.
 */
export function readSecret<T>(path: string, parse: (text: string) => T): T {
  const secrets = parse(readWhole(path));
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    warn(`${path}: other users can read these secrets; protect the file with chmod 600`);
  return secrets;
}

/** Returns whether a process of this machine exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, although it must not be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Process that a temporary file belongs to. */
interface Owner {
  readonly pid: number;
  /** Name of the process's machine and its namespace of process ids. A process id is meaningless without them. */
  readonly host: string;
}

export const self: Owner = { pid: process.pid, host: `${namespaceOfIds()}${hostname()}` };

/**
 * Returns the namespace of process ids; empty on systems without namespaces. Containers may share a host name and a
 * volume, but not their process ids.
 */
function namespaceOfIds(): string {
  try {
    return `${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}-`;
  } catch {
    return '';
  }
}

/** Encodes a host name for use in a file name. */
export function hostInName(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 63) || '-';
}

/**
 * Returns whether another process of this machine and namespace has ended; false for other machines and containers,
 * where this is unknown.
 */
export function hasEnded({ pid, host }: Owner): boolean {
  return pid !== self.pid && hostInName(host) === hostInName(self.host) && !isRunning(pid);
}

/** Returns whether an owner has the id of this process. In a container, every run may have the same id. */
export function hasOwnId({ pid, host }: Owner): boolean {
  return pid === self.pid && hostInName(host) === hostInName(self.host);
}
