import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WorldError } from '@tutti/transports/errors';
import { isRunning } from './isRunning.ts';

/** The end of a temporary file's name: the process that it belongs to, and a number that nobody else has. */
const partSuffix = /\.(\d{1,10})\.[0-9a-f]{8}\.part$/;

function partOf(path: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
}

/** Parts that this process is writing. */
const writing = new Set<string>();
/** Folders that were looked through. */
const cleared = new Set<string>();

/** Removes what killed runs have left half-written in a folder; once a process. */
function clearParts(folder: string): void {
  if (cleared.has(folder)) return;
  cleared.add(folder);
  for (const name of readdirSync(folder)) {
    const pid = Number(partSuffix.exec(name)?.[1]);
    const part = join(folder, name);
    // In a container every run may have the same id.
    if (pid > 0 && (pid === process.pid ? !writing.has(part) : !isRunning(pid))) rmSync(part, { force: true });
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
  const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  if (path === standardOutput) {
    for (const piece of parts) process.stdout.write(piece);
    return;
  }
  requireFile(path);
  const target = pointedTo(path);
  const part = partOf(target);
  writing.add(part);
  try {
    const file = openSync(part, 'wx', mode);
    try {
      for (const piece of parts) writeFileSync(file, piece);
      // Or a power cut would leave an empty file under the name.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
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

/** Where a path leads, its links followed, whether or not there is anything. */
export function pointedTo(path: string, links = 0): string {
  const whole = resolve(path);
  const standing = lstatSync(whole, { throwIfNoEntry: false });
  if (standing?.isSymbolicLink() !== true) return standing === undefined ? whole : realpathSync(whole);
  if (links === mostLinks) throw new WorldError('cannot-write', `${path}: cannot be written (ELOOP)`);
  return pointedTo(resolve(dirname(whole), readlinkSync(whole)), links + 1);
}

/** As many as Linux follows. */
const mostLinks = 40;

/** @throws WorldError `not-a-file` for a device, a socket, a pipe or a folder: only a file is ever replaced. */
function requireFile(path: string): void {
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

/** @throws WorldError `cannot-read`. */
export function readWhole(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new WorldError('cannot-read', `${path}: cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    });
  }
}
