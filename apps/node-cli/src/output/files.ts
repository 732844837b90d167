import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WorldError } from '@tutti/transports';
import { isRunning } from './isRunning.ts';

/** A file on its way to its name: whose, and a number that nobody else has. */
const PART = /\.(\d{1,10})\.[0-9a-f]{8}\.part$/;

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
    const pid = Number(PART.exec(name)?.[1]);
    const part = join(folder, name);
    // In a container every run may have the same id.
    if (pid > 0 && (pid === process.pid ? !writing.has(part) : !isRunning(pid))) rmSync(part, { force: true });
  }
}

/**
 * Writes a file whole or not at all: into a neighbour first, which then takes its name.
 *
 * @param content all of it, or its parts one after another, so that it need not be held at once.
 * @throws WorldError `cannot-write`; whatever making a part throws.
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
  mode = 0o666,
): void {
  const part = partOf(resolve(path));
  writing.add(part);
  const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  try {
    const file = openSync(part, 'wx', mode);
    try {
      for (const piece of parts) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
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

/**
 * For before long work whose result would have nowhere to go: tries to write beside it, or into it where it is a folder.
 *
 * @throws WorldError `no-such-folder`; `cannot-write`.
 */
export function requireFolderOf(path: string): void {
  const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  const whole = resolve(path);
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

/** @throws WorldError `file-exists`, so that nothing made earlier is lost by mistake. */
export function refuseToOverwrite(path: string): void {
  if (existsSync(path))
    throw new WorldError('file-exists', `${path}: exists already; give --force to replace it, or another name`);
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
