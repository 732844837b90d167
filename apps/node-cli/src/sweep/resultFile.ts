import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { version } from '@tutti/core';
import { shownValue, WorldError } from '@tutti/core/input';
import { FileLock, requireOneName } from '@tutti/transports/files';
import { isIntact, lineStart, parseResultLine, type SweepResult } from './result.ts';

/** Number of bytes that are read at a time when a file is continued. */
const chunkBytes = 1 << 20;
const lineFeed = 0x0a;

/** A sweep's output: one line of JSON per run, appended when the run ends. A later sweep continues the file. */
export class ResultFile {
  readonly path: string;
  readonly #fd: number;
  readonly #lock: FileLock;

  /**
   * Opens the file, creating it if needed, and reads its content. An incomplete last line, which a kill may leave, is
   * removed: its run was not finished. Lines of another version stay in the file, but are not reported, whatever their
   * key.
   *
   * @param onResult called with each result of this version.
   * @throws WorldError `cannot-write`, `cannot-read`; `locked` while another sweep writes to the file;
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
      this.#takeUp(onResult);
    } catch (error) {
      this.close();
      throw error instanceof WorldError ? error : this.#failed('cannot-read', 'cannot be read', error);
    }
  }

  /**
   * Appends complete lines with one write, so that they survive a kill of this process.
   *
   * @throws WorldError `cannot-write`; `file-moved` if the name no longer leads to the file, which another sweep may
   * have opened by its new name.
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
    throw new WorldError(
      'file-moved',
      `${this.path}: expected the file to stay in place during the sweep, got a moved, removed or replaced file; start the sweep again to do only the missing runs`,
    );
  }

  #takeUp(onResult: (result: SweepResult) => void): void {
    const chunk = Buffer.alloc(chunkBytes);
    let rest = Buffer.alloc(0);
    let wholeBytes = 0;
    let line = 0;
    for (let at = 0; ; ) {
      const got = readSync(this.#fd, chunk, 0, chunkBytes, at);
      if (got === 0) break;
      at += got;
      const bytes = Buffer.concat([rest, chunk.subarray(0, got)]);
      let from = 0;
      for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
        const text = bytes.toString('utf8', from, end);
        const result = parseResultLine(text);
        line++;
        if (result === undefined) throw this.#notResults(line, text);
        if (result.version === version) onResult(result);
        wholeBytes += end + 1 - from;
        from = end + 1;
      }
      rest = Buffer.from(bytes.subarray(from));
    }
    if (rest.length === 0) return;
    const torn = rest.toString('utf8');
    if (!torn.startsWith(lineStart) && !lineStart.startsWith(torn)) throw this.#notResults(line + 1, torn);
    ftruncateSync(this.#fd, wholeBytes);
  }

  #notResults(line: number, text: string): WorldError {
    if (text.startsWith(lineStart) && !isIntact(text))
      return new WorldError(
        'altered-results',
        `${this.path}: line ${line}: the checksum does not match, so the file was altered; delete the line to repeat the run`,
      );
    return new WorldError(
      'not-results',
      `${this.path}: line ${line}: expected a result of 'tutti sweep', got ${shownValue(text)}`,
    );
  }

  #failed(code: string, what: string, cause: unknown): WorldError {
    return new WorldError(code, `${this.path}: ${what} (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}
