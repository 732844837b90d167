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
 * A file whose earlier contents must not be found again, reserved for this process until it is closed.
 *
 * A replacement goes through these states, and a process may be killed after any of them: the new content stands under
 * a name of its own, synced; the old one has a second name; the new one has the file's name; the old one's bytes are
 * overwritten; its second name is gone. The extra names end in `.key.part`. Whoever opens the file next overwrites and
 * removes what has such a name, so that nothing is left of any content but the file's.
 */
export class ForgettingFile {
  readonly #path: string;
  readonly #target: string;
  readonly #lock: FileLock;
  /** What was there when the file was reserved. */
  readonly #seen: Buffer | undefined;

  /** @throws WorldError `not-a-file`, `locked`, `several-names`, `cannot-read`, `cannot-write`. */
  constructor(path: string) {
    requireFile(path);
    this.#path = path;
    this.#lock = new FileLock(path);
    // A link still leads to the key.
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

  /** What was there; undefined for a file that is new. */
  get text(): string | undefined {
    return this.#seen?.toString('utf8');
  }

  /**
   * Replaces the content; the old one's bytes are overwritten, as far as the disk writes in place.
   *
   * @throws WorldError `changed-meanwhile` when another process wrote to the file in spite of the lock; `cannot-write`.
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
      'changed-meanwhile',
      `${this.#path}: another process wrote to it meanwhile; nothing was changed, try again`,
    );
  }

  #now(): Buffer | undefined {
    if (!existsSync(this.#target)) return undefined;
    return failing(this.#path, 'cannot-read', () => readFileSync(this.#target));
  }
}

/**
 * Reads such a file, once what killed processes left of earlier contents is overwritten and removed. Where nothing is
 * left, nothing is written: the file may lie on a disk that takes no writes.
 *
 * @throws WorldError `cannot-read`; `locked` and `cannot-write` where something is left and cannot be removed.
 */
export function readForgetting(path: string): string {
  const target = pointedTo(path);
  if (existsSync(dirname(target)) && leftoversOf(target).length > 0) new ForgettingFile(path).close();
  for (;;) {
    const before = statSync(target, { bigint: true, throwIfNoEntry: false });
    const text = readWhole(path);
    // Or it was replaced, and what was read may be the zeroes over the old one.
    if (isSame(before, statSync(target, { bigint: true, throwIfNoEntry: false }))) return text;
  }
}

const partEnd = '.key.part';
/** What stands between a file's name and the end of a part's: today, and in 0.1.0, whose parts had no such end. */
const ofPart = /^\.(?:[0-9a-f]{16}\.key|\d{1,10}\.[0-9a-f]{8})\.part$/;

/** Regular files that have the name of a part of this one. */
function leftoversOf(target: string): string[] {
  const name = basename(target);
  return readdirSync(dirname(target))
    .filter((standing) => standing.startsWith(name) && ofPart.test(standing.slice(name.length)))
    .map((standing) => join(dirname(target), standing))
    .filter((part) => lstatSync(part, { throwIfNoEntry: false })?.isFile() === true);
}

/** Only for the holder of the lock. */
function overwriteLeftovers(target: string): void {
  const parts = leftoversOf(target);
  if (parts.length === 0) return;
  // The disk must know which one has the file's name before the others' bytes go.
  syncFolder(dirname(target));
  const standing = statSync(target, { bigint: true, throwIfNoEntry: false });
  for (const part of parts) {
    const file = openSync(part, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    try {
      // A second name of the file itself was made before a kill, and no new one took its place.
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

/** Gives an error of the file system a code of ours. */
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
