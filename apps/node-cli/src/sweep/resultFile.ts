import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { version } from '@tutti/core';
import { EnvironmentError, parseJson, shownValue } from '@tutti/core/input';
import type { RunResult } from '@tutti/simulation';
import { FileLock, requireOneName } from '@tutti/transports/files';
import type { InputFile } from '../output/files.ts';

/** Number of bytes that are read at a time from an existing file. */
const chunkBytes = 1 << 20;
const lineFeed = 0x0a;

/**
 * Output file of a sweep: one line of JSON per run, appended when the run ends. A later sweep can continue the file.
 */
export class ResultFile {
  readonly path: string;
  readonly #fd: number;
  readonly #lock: FileLock;

  /**
   * Opens the output file, creating it if needed, and reads its content. An incomplete last line, which may remain
   * after a kill, is removed, because its run was not finished. Lines of another version stay in the file, but are not
   * reported, whatever their key.
   *
   * @param onResult called with each result of this version.
   * @throws EnvironmentError `cannot-write`, `cannot-read`; `locked` while another sweep writes to the file;
   * `ambiguous-names` for a file with a second hard link; `altered-results` for a line with a wrong checksum;
   * `not-results` for a file with other content, which is left unchanged.
   */
  constructor(path: string, onResult: (result: SweepResult) => void) {
    this.path = path;
    this.#lock = new FileLock(path);
    try {
      this.#fd = openSync(path, 'a+');
    } catch (cause) {
      this.#lock.release();
      throw this.#failed('cannot-write', 'cannot be written', cause);
    }
    try {
      requireOneName(path, fstatSync(this.#fd).nlink);
      this.#readExisting(onResult);
    } catch (error) {
      this.close();
      throw error instanceof EnvironmentError ? error : this.#failed('cannot-read', 'cannot be read', error);
    }
  }

  /**
   * Appends complete lines. Written lines survive a kill of this process.
   *
   * @throws EnvironmentError `cannot-write`; `file-moved` if the name no longer refers to the file, which another sweep
   * may have opened under its new name.
   */
  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#requireInPlace();
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    } catch (cause) {
      throw this.#failed('cannot-write', 'cannot be written', cause);
    }
  }

  close(): void {
    closeSync(this.#fd);
    this.#lock.release();
  }

  #requireInPlace(): void {
    const [own, standing] = [fstatSync(this.#fd), statSync(this.path, { throwIfNoEntry: false })];
    if (standing?.ino === own.ino && standing.dev === own.dev) return;
    throw new EnvironmentError(
      'file-moved',
      `${this.path}: the file was moved, removed or replaced during the sweep; start the sweep again to do only the missing runs`,
    );
  }

  /** Reads the file, and removes an incomplete last line. */
  #readExisting(onResult: (result: SweepResult) => void): void {
    let line = 0;
    for (const { text, isComplete, startByte } of linesOf(this.#fd)) {
      line++;
      if (isComplete) {
        const result = parseResultLine(text);
        if (result === undefined) throw this.#notResults(line, text);
        if (result.version === version) onResult(result);
      } else {
        if (!text.startsWith(lineStart) && !lineStart.startsWith(text)) throw this.#notResults(line, text);
        ftruncateSync(this.#fd, startByte);
      }
    }
  }

  #notResults(line: number, text: string): EnvironmentError {
    if (text.startsWith(lineStart) && !isIntact(text))
      return new EnvironmentError(
        'altered-results',
        `${this.path}: line ${line}: the checksum does not match, so the file was altered; delete the line to repeat the run`,
      );
    return new EnvironmentError(
      'not-results',
      `${this.path}: line ${line}: expected a result of 'tutti sweep', got ${shownValue(text)}`,
    );
  }

  #failed(code: string, what: string, cause: unknown): EnvironmentError {
    return new EnvironmentError(code, `${this.path}: ${what} (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}

/** Line of a file. */
interface FileLine {
  /** The line without its line feed. */
  readonly text: string;
  /** False for a last line without a line feed. */
  readonly isComplete: boolean;
  /** Position of the line in the file, bytes. */
  readonly startByte: number;
}

/** Reads the lines of an open file, which may be larger than the memory. */
function* linesOf(fd: number): Generator<FileLine> {
  const chunk = Buffer.alloc(chunkBytes);
  let rest = Buffer.alloc(0);
  let startByte = 0;
  for (;;) {
    const got = readSync(fd, chunk, 0, chunkBytes, startByte + rest.length);
    if (got === 0) break;
    const bytes = Buffer.concat([rest, chunk.subarray(0, got)]);
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      yield { text: bytes.toString('utf8', from, end), isComplete: true, startByte };
      startByte += end + 1 - from;
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), isComplete: false, startByte };
}

/**
 * Line in a sweep's output: the result of a run, with the name of its point. A point produces the same line on every
 * machine.
 */
export interface SweepResult extends RunResult {
  /** Name of the point. */
  readonly key: string;
  /** Files that are named in the scenario, with their hashes. */
  readonly inputs?: readonly InputFile[];
}

/** Start of every result line, which distinguishes an incomplete line from a file of another kind. */
const lineStart = '{"key":"';

/** Returns the line for a result, with its checksum and without a line feed. */
export function resultLine(key: string, result: Omit<SweepResult, 'key'>): string {
  const text = JSON.stringify({ key, ...result } satisfies SweepResult);
  return `${text.slice(0, -1)}${crcStart}${crcOf(text)}"}`;
}

/** Last field of a line, before eight hexadecimal digits: the CRC-32 of the line without this field. */
const crcStart = ',"crc32":"';
/** End of a line whose checksum field was altered. */
const alteredEnd = /":".{8}"\}$/;
const crcAtEnd = /,"crc32":"([0-9a-f]{8})"\}$/;

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/**
 * Returns whether a line is unchanged since the sweep wrote it. Lines from earlier versions have no checksum; these
 * lines end differently and are accepted. If eight other characters are in place of the checksum, or the field has
 * another name, the line had a checksum and was altered.
 */
function isIntact(line: string): boolean {
  const [end, check] = crcAtEnd.exec(line) ?? [];
  if (end === undefined) return !alteredEnd.test(line);
  return check === crcOf(`${line.slice(0, -end.length)}}`);
}

/**
 * Parses a result line.
 *
 * @returns undefined for a text that is not a result line or was altered.
 */
export function parseResultLine(text: string): SweepResult | undefined {
  if (!isIntact(text)) return undefined;
  let value: Partial<SweepResult> | null;
  try {
    value = parseJson(text) as typeof value;
  } catch {
    return undefined;
  }
  const spreads = [value?.timeToThresholdMs, value?.messagesSent, value?.bytesSent, value?.checked];
  const holds =
    typeof value?.key === 'string' &&
    typeof value.reached === 'number' &&
    typeof value.live === 'number' &&
    spreads.every((spread) => typeof spread?.mean === 'number' && typeof spread.max === 'number');
  return holds ? (value as SweepResult) : undefined;
}
