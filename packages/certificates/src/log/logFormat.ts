import { hash } from 'node:crypto';
import { EnvironmentError } from '@tutti/core/input';
import { isHeight, SignedHeights } from './signedLog.ts';

/**
 * First line of a log. The following lines have three forms: `HEIGHT MESSAGE CHECKSUM`, `- MESSAGE CHECKSUM` for a
 * message without a height, and `<= WATERMARK CHECKSUM`. Each checksum covers the previous line's checksum. A changed,
 * moved or removed line is therefore detected, unless it is the last line. Version 1 of the format has no such first
 * line, and each of its checksums covers one line.
 */
const firstLine = 'tutti signed log 2';
const anyFirstLine = /^tutti signed log \d/;

const linePattern = /^(?:(\d{1,20}|-) ([0-9a-f]{64})|<= (\d{1,20})) ([0-9a-f]{8})$/;
const sumLength = 8;
/** Maximum length, in bytes, of a line: 20 + 1 + 64 + 1 + 8 characters. */
const maxLineBytes = 94;
/**
 * Pattern of the remains of a write that a crash interrupted: the beginning of a line, followed by zeros for unwritten
 * bytes.
 */
const tornPattern = /^[-<= 0-9a-f]*\0*$/;
const chunkBytes = 1 << 20;
const lineFeed = 0x0a;

/** Content of a log's file. */
export interface LogContent {
  readonly version: 1 | 2;
  readonly heights: SignedHeights;
  /** Checksum of the last line. */
  readonly sum: string;
  /** Number of lines of statements and watermarks. */
  readonly lines: number;
  /** Whether the last line ends with a line feed. */
  readonly isWhole: boolean;
}

/** Consecutive lines, in which each checksum depends on the previous one. */
export class LineChain {
  #sum: string;

  /** @param sum checksum of the previous line. Default: the checksum of the first line. */
  constructor(sum = checksum(2, '', firstLine)) {
    this.#sum = sum;
  }

  get sum(): string {
    return this.#sum;
  }

  /** Returns the line of a statement, without a line feed. */
  statement(height: bigint | undefined, message: string): string {
    return this.#next(`${height ?? '-'} ${message}`);
  }

  #next(content: string): string {
    this.#sum = checksum(2, this.#sum, content);
    return `${content} ${this.#sum}`;
  }

  /**
   * Yields the text of a log with exactly these heights, in pieces of at most one megabyte. Returns the chain
   * after the last line, and the number of lines without the first one.
   */
  static *whole(heights: SignedHeights): Generator<string, { readonly chain: LineChain; readonly lines: number }> {
    const chain = new LineChain();
    let piece = `${firstLine}\n`;
    for (const [height, message] of heights.entries) {
      piece += `${chain.statement(height, message)}\n`;
      if (piece.length < chunkBytes - maxLineBytes) continue;
      yield piece;
      piece = '';
    }
    // The watermark follows the heights, because some heights may be at or below it.
    if (heights.watermark !== undefined) piece += `${chain.#next(`<= ${heights.watermark}`)}\n`;
    yield piece;
    return { chain, lines: minLines(heights) };
  }
}

/** Returns the number of lines of a log with exactly these heights, without the first line. */
export function minLines({ size, watermark }: SignedHeights): number {
  return size + (watermark === undefined ? 0 : 1);
}

function checksum(version: 1 | 2, before: string, content: string): string {
  const covered = version === 1 ? `tutti signed log v1 ${content}` : `tutti signed log v2 ${before} ${content}`;
  return hash('sha256', covered, 'hex').slice(0, sumLength);
}

/**
 * Reads a log in pieces. An incomplete last line is ignored, because the signature for it was never sent. A last line
 * that lacks only its line feed counts.
 *
 * @param path path of the log file, for errors.
 * @param read fills a buffer, from an offset on, with the file's bytes from a position on; returns the number of bytes
 * read.
 * @throws EnvironmentError `signed-log-damaged` for a changed line, or for a second message of one height.
 */
export function readLog(
  path: string,
  read: (buffer: Uint8Array, offset: number, length: number, position: number) => number,
): LogContent {
  const lines = new LogLines(path);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let rest = 0;
  for (let at = 0; ; ) {
    const got = read(chunk, rest, chunkBytes - rest, at);
    if (got === 0) break;
    at += got;
    const bytes = chunk.subarray(0, rest + got);
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      lines.take(bytes, from, end);
      from = end + 1;
    }
    rest = bytes.length - from;
    // A torn write can have the length of a whole line with its line feed.
    if (rest > maxLineBytes + 1) throw lines.damaged();
    chunk.copyWithin(0, from, bytes.length);
  }
  return lines.end(chunk.toString('latin1', 0, rest));
}

class LogLines {
  readonly #path: string;
  readonly #heights = new SignedHeights();
  #version: 1 | 2 = 1;
  #sum = '';
  #lines = 0;
  #number = 1;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads the line between two byte offsets. Each byte is read as one character, so that only one encoding of a line is
   * accepted.
   */
  take(bytes: Buffer, from: number, end: number): void {
    const text = end - from > maxLineBytes ? '' : bytes.toString('latin1', from, end);
    if (this.#number === 1 && text === firstLine) {
      this.#version = 2;
      this.#sum = checksum(2, '', firstLine);
    } else if (this.#number === 1 && anyFirstLine.test(text))
      throw this.#damage(`is of another version: expected "${firstLine}", got "${text}"; use the tutti that wrote it`);
    else if (!this.#takeLine(text)) throw this.damaged();
    this.#number++;
  }

  /** @param rest bytes after the last line feed. */
  end(rest: string): LogContent {
    if (rest !== '' && !this.#takeLine(rest) && !tornPattern.test(rest)) throw this.damaged();
    const [version, heights, sum, lines] = [this.#version, this.#heights, this.#sum, this.#lines];
    return { version, heights, sum, lines, isWhole: rest === '' };
  }

  damaged(): EnvironmentError {
    return this.#damage('is not what was written; restore the file, for without it a height may be signed twice');
  }

  /** Reads one line. @returns whether the line is valid. */
  #takeLine(line: string): boolean {
    const [, height, message, watermark, sum] = linePattern.exec(line) ?? [];
    if (sum === undefined || sum !== checksum(this.#version, this.#sum, line.slice(0, -1 - sumLength))) return false;
    const number = height === '-' ? undefined : BigInt(height ?? watermark!);
    if (number !== undefined && !isHeight(number)) return false;
    if (watermark !== undefined) this.#heights.raise(number!);
    else if (number !== undefined) this.#takeHeight(number, message!);
    this.#sum = sum;
    this.#lines++;
    return true;
  }

  #takeHeight(height: bigint, message: string): void {
    const known = this.#heights.hashAt(height);
    if (known === message) return;
    // A signer never writes a height that already has a message or is closed.
    if (known !== undefined || this.#heights.isClosed(height))
      throw this.#damage(
        `has a second message of height ${height}, so two signers wrote to the log; stop both, and begin a new log with an interchange file whose greatest slot is over all heights`,
      );
    this.#heights.add(height, message);
  }

  #damage(what: string): EnvironmentError {
    return new EnvironmentError('signed-log-damaged', `${this.#path}: line ${this.#number} ${what}`);
  }
}
