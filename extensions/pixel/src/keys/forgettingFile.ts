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
  EnvironmentError,
  FileLock,
  linkIfPossible,
  pointedTo,
  readSecret,
  requireFile,
  requireOneName,
  syncFolder,
  writeSynced,
} from '@tutti/node-cli/command';

/**
 * A file whose earlier contents must not be recoverable, locked for this process until it is closed.
 *
 * The file's content is replaced in the following steps, and a process may be killed after any of them.
 *
 * 1. The new content is written under a temporary name and flushed to the disk.
 * 2. The old content gets a second name.
 * 3. The new content gets the file's name.
 * 4. The old content is overwritten, and its second name is removed.
 *
 * The additional names end in `.key.part`. The next process that opens the file overwrites and removes files with such
 * names, so that only the file's own content remains.
 */
export class ForgettingFile {
  readonly #path: string;
  readonly #target: string;
  readonly #lock: FileLock;
  /** Content of the file when it was locked; undefined for a new file. */
  readonly #content: Buffer | undefined;

  /**
   * Locks and reads a file. @throws EnvironmentError `not-a-file`, `locked`, `ambiguous-names`, `cannot-read`,
   * `cannot-write`.
   */
  constructor(path: string) {
    requireFile(path);
    this.#path = path;
    this.#lock = new FileLock(path);
    // A symbolic link is left unchanged, and its target is treated as the key's file.
    this.#target = this.#lock.target;
    try {
      orEnvironmentError(path, 'cannot-write', () => overwriteLeftovers(this.#target));
      this.#content = this.#read();
      if (this.#content !== undefined) requireOneName(path, statSync(this.#target).nlink);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Content of the file; undefined for a new file. */
  get text(): string | undefined {
    return this.#content?.toString('utf8');
  }

  /**
   * Replaces the file's content. The old content's bytes are overwritten, provided that the disk writes in place.
   *
   * @throws EnvironmentError `modified-concurrently` if another process wrote to the file despite the lock;
   * `cannot-write`.
   */
  replace(text: string): void {
    const name = () => `${this.#target}.${randomBytes(8).toString('hex')}${partEnd}`;
    const [fresh, old] = [name(), name()];
    orEnvironmentError(this.#path, 'cannot-write', () => {
      let unnamed: number | undefined;
      try {
        writeSynced(fresh, text, 0o600);
        if (this.#content !== undefined && !linkIfPossible(this.#target, old)) unnamed = openSync(this.#target, 'r+');
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

  /** Overwrites the stored content, and unlocks the file. */
  close(): void {
    this.#content?.fill(0);
    this.#lock.release();
  }

  #requireUnchanged(): void {
    const now = this.#read();
    const isUnchanged = now === undefined ? this.#content === undefined : this.#content?.equals(now) === true;
    now?.fill(0);
    if (isUnchanged) return;
    throw new EnvironmentError(
      'modified-concurrently',
      `${this.#path}: another process wrote to it meanwhile; nothing was changed, try again`,
    );
  }

  #read(): Buffer | undefined {
    if (!existsSync(this.#target)) return undefined;
    return orEnvironmentError(this.#path, 'cannot-read', () => readFileSync(this.#target));
  }
}

/**
 * Reads a forgetting file, and warns if other users can read it. Earlier contents that killed processes left are
 * overwritten and removed first. If there are no earlier contents, nothing is written, so the file may be on a
 * read-only disk.
 *
 * @param parse returns the secrets that the text contains.
 * @throws EnvironmentError `cannot-read` or `not-utf8`; `locked` or `cannot-write` if an earlier content cannot be
 * removed; the errors of `parse`, which cause no warning.
 */
export function readForgetting<T>(path: string, parse: (text: string) => T): T {
  const orRefused = <R>(act: () => R): R => orEnvironmentError(path, 'cannot-read', act);
  const target = orRefused(() => pointedTo(path));
  const identity = () => orRefused(() => statSync(target, { bigint: true, throwIfNoEntry: false }));
  const hasLeftovers = orRefused(() => existsSync(dirname(target)) && leftoversOf(target).length > 0);
  if (hasLeftovers) new ForgettingFile(path).close();
  for (;;) {
    const before = identity();
    // If the path leads to another file after the read than before it, the file was replaced, and the text may be the
    // zeros that overwrite the old content.
    const read = readSecret(path, (text) => (isSame(before, identity()) ? { secrets: parse(text) } : undefined));
    if (read !== undefined) return read.secrets;
  }
}

/** Suffix of a temporary file's name. */
const partEnd = '.key.part';
/**
 * Pattern of the text between a file's name and the end of a temporary name: the present form, and the form of version
 * 0.1.0.
 */
const partPattern = /^\.(?:[0-9a-f]{16}\.key|\d{1,10}\.[0-9a-f]{8})\.part$/;

/** Returns the regular files whose names are temporary names of this file. */
function leftoversOf(target: string): string[] {
  const name = basename(target);
  return readdirSync(dirname(target))
    .filter((standing) => standing.startsWith(name) && partPattern.test(standing.slice(name.length)))
    .map((standing) => join(dirname(target), standing))
    .filter((part) => lstatSync(part, { throwIfNoEntry: false })?.isFile() === true);
}

/** Overwrites earlier contents. The caller must hold the lock. */
function overwriteLeftovers(target: string): void {
  const parts = leftoversOf(target);
  if (parts.length === 0) return;
  // The folder must be synced, so that the file's name leads to its present content, before other contents are
  // overwritten.
  syncFolder(dirname(target));
  const standing = statSync(target, { bigint: true, throwIfNoEntry: false });
  for (const part of parts) {
    const file = openSync(part, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    try {
      // If the two are equal, the temporary name is a second name of the file itself: a process was killed before a new
      // content replaced the file.
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

/** Runs an operation, and converts a file-system error to an EnvironmentError with this code. */
function orEnvironmentError<T>(path: string, code: 'cannot-read' | 'cannot-write', act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const { code: system } = cause as NodeJS.ErrnoException;
    if (cause instanceof EnvironmentError || system === undefined) throw cause;
    throw new EnvironmentError(code, `${path}: cannot be ${code === 'cannot-read' ? 'read' : 'written'} (${system})`, {
      cause,
    });
  }
}
