import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  FileLock,
  linkIfPossible,
  pointedTo,
  readWhole,
  requireFile,
  requireOneName,
  syncFolder,
  WorldError,
  writeSynced,
} from '@tutti/node-cli/command';

/**
 * A file whose earlier contents must not be recoverable, reserved for this process until it is closed.
 *
 * A replacement has these steps, and a process may be killed after any of them. The new content is written under a name
 * of its own and synced. The old content gets a second name. The new content gets the file's name. The old content is
 * overwritten, and its second name removed. The additional names end in `.key.part`. The next process that opens the
 * file overwrites and removes files with such names, so that only the file's own content remains.
 */
export class ForgettingFile {
  readonly #path: string;
  readonly #target: string;
  readonly #lock: FileLock;
  /** Content at the time of the reservation. */
  readonly #seen: Buffer | undefined;

  /** @throws WorldError `not-a-file`, `locked`, `ambiguous-names`, `cannot-read`, `cannot-write`. */
  constructor(path: string) {
    requireFile(path);
    this.#path = path;
    this.#lock = new FileLock(path);
    // A symbolic link still leads to the key.
    this.#target = this.#lock.target;
    try {
      failing(path, 'cannot-write', () => overwriteLeftovers(this.#target));
      this.#seen = this.#now();
      if (this.#seen !== undefined) requireOneName(path, statSync(this.#target).nlink);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Content of the file; undefined for a new file. */
  get text(): string | undefined {
    return this.#seen?.toString('utf8');
  }

  /**
   * Replaces the content. The old content's bytes are overwritten, as far as the disk writes in place.
   *
   * @throws WorldError `modified-concurrently` if another process wrote to the file in spite of the lock; `cannot-write`.
   */
  replace(text: string): void {
    const name = () => `${this.#target}.${randomBytes(8).toString('hex')}${partEnd}`;
    const [fresh, old] = [name(), name()];
    failing(this.#path, 'cannot-write', () => {
      let unnamed: number | undefined;
      try {
        writeSynced(fresh, text, 0o600);
        if (this.#seen !== undefined && !linkIfPossible(this.#target, old)) unnamed = openSync(this.#target, 'r+');
        this.#requireUnchanged();
        renameSync(fresh, this.#target);
        if (unnamed !== undefined) {
          syncFolder(dirname(this.#target));
          overwrite(unnamed);
        }
      } finally {
        if (unnamed !== undefined) closeSync(unnamed);
        overwriteLeftovers(this.#target);
      }
    });
  }

  close(): void {
    this.#seen?.fill(0);
    this.#lock.release();
  }

  #requireUnchanged(): void {
    const now = this.#now();
    if (now === undefined ? this.#seen === undefined : this.#seen?.equals(now) === true) return;
    throw new WorldError(
      'modified-concurrently',
      `${this.#path}: another process wrote to it meanwhile; nothing was changed, try again`,
    );
  }

  #now(): Buffer | undefined {
    if (!existsSync(this.#target)) return undefined;
    return failing(this.#path, 'cannot-read', () => readFileSync(this.#target));
  }
}

/**
 * Reads such a file. First it overwrites and removes earlier contents that killed processes left. If nothing is left,
 * it writes nothing, so the file may be on a read-only disk.
 *
 * @throws WorldError `cannot-read`; `locked` and `cannot-write` if a remainder cannot be removed.
 */
export function readForgetting(path: string): string {
  const target = pointedTo(path);
  if (existsSync(dirname(target)) && leftoversOf(target).length > 0) new ForgettingFile(path).close();
  for (;;) {
    const before = statSync(target, { bigint: true, throwIfNoEntry: false });
    const text = readWhole(path);
    // Otherwise the file was replaced, and the text may be the zeros over the old content.
    if (isSame(before, statSync(target, { bigint: true, throwIfNoEntry: false }))) return text;
  }
}

const partEnd = '.key.part';
/** Text between a file's name and the end of a part's name: the present form, and that of 0.1.0. */
const ofPart = /^\.(?:[0-9a-f]{16}\.key|\d{1,10}\.[0-9a-f]{8})\.part$/;

/** Returns the regular files with the name of a part of this one. */
function leftoversOf(target: string): string[] {
  const name = basename(target);
  return readdirSync(dirname(target))
    .filter((standing) => standing.startsWith(name) && ofPart.test(standing.slice(name.length)))
    .map((standing) => join(dirname(target), standing))
    .filter((part) => lstatSync(part, { throwIfNoEntry: false })?.isFile() === true);
}

/** Overwrites earlier contents. Only the holder of the lock may call it. */
function overwriteLeftovers(target: string): void {
  const parts = leftoversOf(target);
  if (parts.length === 0) return;
  // The disk must have recorded which content has the file's name before the others are overwritten.
  syncFolder(dirname(target));
  const standing = statSync(target, { bigint: true, throwIfNoEntry: false });
  for (const part of parts) {
    const file = openSync(part, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    try {
      // Otherwise it is a second name of the file itself, made before a kill, and no new content replaced it.
      if (!isSame(fstatSync(file, { bigint: true }), standing)) overwrite(file);
    } finally {
      closeSync(file);
    }
    rmSync(part, { force: true });
  }
}

function isSame(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  return a?.ino === b?.ino && a?.dev === b?.dev;
}

function overwrite(file: number): void {
  const zeroes = new Uint8Array(fstatSync(file).size);
  for (let at = 0; at < zeroes.length; ) at += writeSync(file, zeroes, 0, zeroes.length - at, at);
  fsyncSync(file);
}

/** Gives an error of the file system one of our codes. */
function failing<T>(path: string, code: 'cannot-read' | 'cannot-write', act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const { code: system } = cause as NodeJS.ErrnoException;
    if (cause instanceof WorldError || system === undefined) throw cause;
    throw new WorldError(code, `${path}: cannot be ${code === 'cannot-read' ? 'read' : 'written'} (${system})`, {
      cause,
    });
  }
}
