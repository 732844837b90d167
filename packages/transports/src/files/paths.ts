import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { WorldError } from '@tutti/core/input';

/** Maximum number of symbolic links to follow, as in Linux. */
const maxLinks = 40;

/**
 * Returns the target of a path after following symbolic links. The file itself need not exist.
 *
 * @throws WorldError `cannot-write` for more than 40 links.
 */
export function pointedTo(path: string, links = 0): string {
  const standing = lstatSync(path, { throwIfNoEntry: false });
  // `..` after a link is the parent of the link's target, as for the system. `resolve` and `join` would remove both.
  if (standing === undefined)
    return existsSync(dirname(path)) ? join(realpathSync.native(dirname(path)), basename(path)) : resolve(path);
  if (!standing.isSymbolicLink()) return realpathSync.native(path);
  if (links === maxLinks) throw new WorldError('cannot-write', `${path}: cannot be written (ELOOP)`);
  const target = readlinkSync(path);
  return pointedTo(isAbsolute(target) ? target : `${dirname(path)}/${target}`, links + 1);
}

/**
 * Rejects a file with several hard links. A lock belongs to one name of a file, and another process could open the file
 * under another name.
 *
 * @param links number of hard links of the file.
 * @throws WorldError `ambiguous-names`.
 */
export function requireOneName(path: string, links: number): void {
  if (links > 1)
    throw new WorldError(
      'ambiguous-names',
      `${path}: has ${links} names (hard links), so another process may write to it under another name; use a copy of the file`,
    );
}

/**
 * Rejects a file that is a mount point, such as a single file that a container mounts. Each of its mounts has a separate
 * lock, and a rewritten file cannot replace a mount point.
 *
 * @param path path without symbolic links.
 * @param mounts content of `/proc/self/mountinfo`, which only Linux has. Default: the mounts of this process.
 * @throws WorldError `ambiguous-names`.
 */
export function requireNoMount(path: string, mounts: string = mountsOfProcess()): void {
  const unescaped = (text = ''): string =>
    text.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  if (mounts.split('\n').every((line) => unescaped(line.split(' ')[4]) !== path)) return;
  throw new WorldError(
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
