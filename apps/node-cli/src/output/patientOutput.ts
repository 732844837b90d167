import { appendFileSync, closeSync, openSync, readSync, statSync } from 'node:fs';
import { EnvironmentError } from '@tutti/core/input';

/** Numbers of items that could not be written, for example because the disk is full. */
export interface Unwritten {
  lines: number;
  documents: number;
}

/** Error codes for a full disk or a full quota. */
export const fullDiskCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Output for programs that should continue when a file cannot be written, for example because the disk is full. The
 * output counts items that cannot be written, and reports once when writing fails and once when writing works again.
 */
export class PatientOutput {
  readonly #path: string;
  readonly #what: keyof Unwritten;
  readonly #unwritten: Unwritten;
  readonly #report: (line: string) => void;
  /** Number of lost items since the last successful write. */
  #lost = 0;

  /**
   * Creates an output.
   *
   * @param report called with one line, including its line break.
   */
  constructor(path: string, what: keyof Unwritten, unwritten: Unwritten, report: (line: string) => void) {
    this.#path = path;
    this.#what = what;
    this.#unwritten = unwritten;
    this.#report = report;
  }

  /**
   * Writes one line or one document, or counts it if the system cannot write it or its name is not that of a file.
   *
   * @throws every other error.
   */
  attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      const isTaken = error instanceof EnvironmentError && error.code === 'not-a-file';
      const code = isTaken ? error.code : systemCode(error);
      if (code === undefined) throw error;
      this.lost(code);
      return;
    }
    if (this.#lost > 0) this.#report(`tutti: ${this.#path} is writable again; missing ${this.#what}: ${this.#lost}\n`);
    this.#lost = 0;
  }

  /** Counts one line or document that was not written. @param code error code. */
  lost(code: string): void {
    if (this.#lost++ === 0)
      this.#report(
        `tutti: ${this.#path}: cannot be written (${code}); the command continues and counts missing output\n`,
      );
    this.#unwritten[this.#what]++;
  }
}

/** Returns the code of a system error; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const { code } = (error instanceof EnvironmentError ? (error.cause ?? {}) : error) as NodeJS.ErrnoException;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Ignores an error about a full disk. @throws every other error. */
export function rethrowUnlessFullDisk(error: unknown): void {
  if (!fullDiskCodes.has(systemCode(error))) throw error;
}

/**
 * Returns a function that appends a line to a file. If a kill or a full disk left an incomplete last line, the function
 * first terminates that line, so that it does not corrupt the next one. The output counts lines that cannot be written.
 *
 * @throws EnvironmentError `cannot-write` if the file cannot be written now for a reason other than a full disk.
 */
export function appendTo(path: string, output: PatientOutput): (line: string) => void {
  let mayBeTorn = true;
  const append = (line: string): void => {
    const begin = mayBeTorn && isTorn(path) ? '\n' : '';
    mayBeTorn = true;
    appendFileSync(path, `${begin}${line}`);
    mayBeTorn = false;
  };
  try {
    appendFileSync(path, '');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    rethrowUnlessFullDisk(new EnvironmentError('cannot-write', `${path}: cannot be written (${code})`, { cause }));
  }
  return (line) => output.attempt(() => append(line));
}

/** Returns whether a file's last line has no line break; false for anything that is not a file or cannot be read. */
function isTorn(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size === 0) return false;
  const last = Buffer.alloc(1);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, last, 0, 1, stats.size - 1);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return last[0] !== 0x0a;
}
