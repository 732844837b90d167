import { EnvironmentError, requireBytes, toHex } from '@tutti/core/input';

/** A statement to record before its signature is sent. */
export interface SignedStatement {
  /** SHA-256 of the message, 32 bytes. */
  readonly message: Uint8Array;
  /** Slot or height of the message; undefined if the application has none. */
  readonly height: bigint | undefined;
}

/**
 * Log of signed messages, which prevents signing two messages of one height, even after a crash. The function
 * `openSignedLog` of `@tutti/certificates/log` stores the log in a file.
 */
export interface SignedLog {
  /**
   * Records a statement, and returns when a crash can no longer lose the statement. The same statement may be recorded
   * again.
   *
   * @throws EnvironmentError `already-signed` for another message of a signed height, and for a message at or below the
   * heights that were imported or forgotten. `signed-log-failed` if the statement cannot be written. In the latter case
   * the statement was not recorded, and the next call tries again. TypeError or RangeError for an invalid statement.
   */
  record(statement: SignedStatement): void;
  close(): void;
}

/**
 * Maximum number of heights that the log stores individually. At one height per second, these heights are the last 9 to
 * 18 hours, in 10 MB.
 */
export const maxHeights = 65_536;

const heightLimit = 2n ** 64n;
const messageBytes = 32;

/** Returns whether a number is a height: an unsigned integer of 64 bits. */
export function isHeight(height: bigint): boolean {
  return height >= 0n && height < heightLimit;
}

/**
 * The rule of a signed log, without a file: the message that was signed for each height, and the watermark. At or below
 * the watermark, no new message is signed. When a height is added to 65,536 others, the log forgets the lower half of
 * the heights, and the watermark rises to the highest forgotten height.
 */
export class SignedHeights {
  readonly #byHeight: Map<bigint, string>;
  #watermark: bigint | undefined;

  constructor(former?: SignedHeights) {
    this.#byHeight = new Map(former?.entries);
    this.#watermark = former?.watermark;
  }

  /** Heights with the hashes of their messages, in the order in which the heights were added. */
  get entries(): MapIterator<[bigint, string]> {
    return this.#byHeight.entries();
  }

  get size(): number {
    return this.#byHeight.size;
  }

  /** Watermark of the log; undefined if there is none. At or below it, only a stored message is signed again. */
  get watermark(): bigint | undefined {
    return this.#watermark;
  }

  /** Returns the hash of a height's message, 64 hexadecimal digits, or undefined for a height that is not stored. */
  hashAt(height: bigint): string | undefined {
    return this.#byHeight.get(height);
  }

  /**
   * Returns whether a height is at or below the watermark. For such a height, only a stored message is signed again.
   */
  isClosed(height: bigint): boolean {
    return this.#watermark !== undefined && height <= this.#watermark;
  }

  /**
   * Returns whether a statement is not recorded yet; always true for a statement without a height.
   *
   * @throws EnvironmentError `already-signed`; TypeError or RangeError for an invalid statement.
   */
  isNew({ message, height }: SignedStatement): boolean {
    requireBytes('message', message);
    if (message.length !== messageBytes)
      throw new RangeError(`message: expected a hash of ${messageBytes} bytes, got ${message.length}`);
    if (height === undefined) return true;
    if (typeof height !== 'bigint') throw new TypeError(`height: expected a bigint, got a ${typeof height}`);
    if (!isHeight(height)) throw new RangeError(`height: expected an integer from 0 to 2^64 - 1, got ${height}`);
    const hash = toHex(message);
    const known = this.#byHeight.get(height);
    if (known === hash) return false;
    if (known !== undefined)
      throw new EnvironmentError(
        'already-signed',
        `height ${height}: expected the message ${known}, which was signed, got ${hash}; a height is signed once`,
      );
    if (this.isClosed(height))
      throw new EnvironmentError(
        'already-signed',
        `height ${height}: expected one over ${this.#watermark}, up to which something else may have been signed`,
      );
    return true;
  }

  add(height: bigint, hash: string): void {
    this.#byHeight.set(height, hash);
    if (this.#byHeight.size > maxHeights) this.#forgetLowerHalf();
  }

  /** Forgets which message was signed for a height. */
  forget(height: bigint): void {
    this.#byHeight.delete(height);
  }

  /** Raises the watermark to a height. A height below the watermark leaves the watermark unchanged. */
  raise(watermark: bigint): void {
    if (!this.isClosed(watermark)) this.#watermark = watermark;
  }

  #forgetLowerHalf(): void {
    const heights = [...this.#byHeight.keys()].sort((a, b) => (a < b ? -1 : 1));
    const forgotten = heights.slice(0, heights.length >> 1);
    for (const height of forgotten) this.#byHeight.delete(height);
    this.raise(forgotten.at(-1)!);
  }
}

/**
 * Returns a log in memory, for tests and for members that never sign messages with heights. The log's content is lost
 * at a restart.
 */
export function memorySignedLog(): SignedLog {
  const heights = new SignedHeights();
  return {
    record(statement) {
      if (heights.isNew(statement) && statement.height !== undefined)
        heights.add(statement.height, toHex(statement.message));
    },
    close() {},
  };
}
