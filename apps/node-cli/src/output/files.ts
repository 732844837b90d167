import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WorldError } from '@tutti/transports';

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
  const part = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  try {
    const file = openSync(part, 'wx', mode);
    try {
      for (const piece of parts) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } catch (cause) {
    rmSync(part, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new WorldError('cannot-write', `${path}: cannot be written (${code})`, { cause });
  }
}

/**
 * For before long work whose result would have nowhere to go.
 *
 * @throws WorldError `no-such-folder`.
 */
export function requireFolderOf(path: string): void {
  const folder = dirname(resolve(path));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new WorldError('no-such-folder', `${path}: there is no folder ${folder}; make it first, or choose another`);
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
