import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WorldError } from '@tutti/transports';

/**
 * Writes a file whole or not at all: into a neighbour first, which then takes its name.
 *
 * @throws WorldError `cannot-write`.
 */
export function writeWhole(path: string, text: string, mode = 0o666): void {
  const part = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.part`;
  try {
    writeFileSync(part, text, { mode, flag: 'wx' });
    renameSync(part, path);
  } catch (cause) {
    rmSync(part, { force: true });
    throw new WorldError('cannot-write', `${path}: cannot be written (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    });
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
