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
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { WorldError } from '@tutti/core/errors';
import { isBytes, withoutMark } from '@tutti/core/input';
import { pointedTo } from '@tutti/transports/files';
import { hasEnded, hasOwnId, hostInName, self } from './owner.ts';

/** The end of a temporary file's name: the process that it belongs to, and a number that nobody else has. */
const partSuffix = /^(.*)\.(\d{1,10})\.([A-Za-z0-9-]{1,63})\.[0-9a-f]{8}\.part$/;

/** A name for what will stand under a path once it is whole. */
export function partOf(path: string): string {
  return `${path}.${self.pid}.${hostInName(self.host)}.${randomBytes(4).toString('hex')}.part`;
}

/** Parts that this process is writing. */
const writing = new Set<string>();
/** Folders that were looked through. */
const cleared = new Set<string>();

/**
 * Removes what killed runs of this machine have left half-written in a folder; once a process. Parts of other machines
 * and containers stay, for nobody here can tell whether they are being written.
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

/** What stands for the standard output where a file's name is expected. */
const standardOutput = '-';

/**
 * Writes a file whole or not at all: into a neighbour first, which is on the disk before it takes its name. A link
 * stays one, and what it points to is replaced; `-` is the standard output.
 *
 * @param content all of it, or its parts one after another, so that it need not be held at once.
 * @throws WorldError `not-a-file` where something else than a file has that name; `cannot-write`; whatever making a
 *   part throws.
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

/** Writes a new file, which is then on the disk: or a power cut would leave an empty one under its name. */
export function writeSynced(path: string, content: string | Iterable<string | Uint8Array>, mode = 0o666): void {
  const file = openSync(path, 'wx', mode);
  try {
    for (const piece of typeof content === 'string' ? [content] : content) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Gives a file a second name; false where the file system has no hard links. */
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

/** @throws WorldError `not-a-file` for a device, a socket, a pipe or a folder: only a file is ever replaced. */
export function requireFile(path: string): void {
  const standing = statSync(pointedTo(path), { throwIfNoEntry: false });
  if (standing === undefined || standing.isFile()) return;
  throw new WorldError(
    'not-a-file',
    `${path}: is not a regular file and is not replaced; choose another name, or - for the standard output`,
  );
}

/**
 * To be called before long work, so that its result will have somewhere to go: tries to write beside the file, or into
 * it if it is a folder.
 *
 * @throws WorldError `no-such-folder`; `cannot-write`.
 */
export function requireFolderOf(path: string): void {
  const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  const whole = pointedTo(path);
  const folder = isFolder(whole) ? whole : dirname(whole);
  if (!isFolder(folder))
    throw new WorldError('no-such-folder', `${path}: there is no folder ${folder}; make it first, or choose another`);
  const part = partOf(join(folder, 'try'));
  try {
    writeFileSync(part, 'tutti\n', { flag: 'wx' });
    clearParts(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new WorldError('cannot-write', `${path}: nothing can be written in ${folder} (${code})`, { cause });
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * For before long work: that a file which somebody named can be written, and that it replaces nothing unless that was
 * asked for.
 *
 * @param force whether a file of that name is replaced.
 * @param name what the file is called where the path is a folder.
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

/** {@link requirePlace} for a file with others beside it, for which standard output has no place. */
export function requireNamed(path: string, force: boolean | undefined, name?: string): void {
  if (path === standardOutput)
    throw new WorldError('not-a-file', `${path}: expected the name of a file, for other files are named after it`);
  requirePlace(path, force, name);
}

/** @throws WorldError `file-exists`, so that nothing made earlier is lost by mistake. */
export function refuseToOverwrite(path: string): void {
  if (existsSync(path))
    throw new WorldError('file-exists', `${path}: exists already; give --force to replace it, or another name`);
}

/** Whether a name stands for standard output instead of a file; a command's own output is then left out. */
export function isStandardOutput(path: string | undefined): boolean {
  return path === standardOutput;
}

/** A text file, without the byte order mark that it may begin with. @throws WorldError `cannot-read`, `not-utf8`. */
export function readWhole(path: string): string {
  return textOf(path, readBytes(path));
}

/** The text of a file's bytes, without a byte order mark. @throws WorldError `not-utf8`. */
export function textOf(path: string, bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff')
    throw new WorldError('not-utf8', `${path}: expected UTF-8, got UTF-16; save it as UTF-8`);
  return withoutMark(bytes.toString('utf8'));
}

/** @throws WorldError `cannot-read`. */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new WorldError('cannot-read', `${path}: cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    });
  }
}

/** A registry of a million nodes takes less. */
const maxNamedBytes = 2 ** 30;

/**
 * Reads a file that a document or another untrusted text named: a regular file, and no more than a bound. Anything else
 * could hang the reader, fill its memory, or act on being opened.
 *
 * Whoever reports what is wrong with the content must not quote it: the name may lead to a secret of the reader's.
 *
 * @throws WorldError `not-a-file`, `too-large`, `cannot-read`, `not-utf8`.
 */
export function readNamed(path: string, maxBytes = maxNamedBytes): string {
  return textOf(path, readNamedBytes(path, maxBytes));
}

/** The bytes of {@link readNamed}. */
export function readNamedBytes(path: string, maxBytes = maxNamedBytes): Buffer {
  try {
    // Before it is opened, which alone may do something; and without waiting, should it be another one by then.
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
