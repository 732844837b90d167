import { toHex } from '../hex.ts';
import { WorldError } from '../worldError.ts';

/** What was signed, to be remembered before the signature leaves. */
export interface SignedStatement {
  /** SHA-256 of the message, 32 bytes. */
  readonly message: Uint8Array;
  /** The slot or height that the message is for, where the application has one. */
  readonly height: bigint | undefined;
}

/**
 * Remembers what was signed: two messages of one height are never both signed, whatever happens in between.
 * `openSignedLog` of `@tutti/transports/raw` keeps it in a file.
 */
export interface SignedLog {
  /**
   * Returns once the statement is where a crash cannot lose it; the same one may be recorded again.
   *
   * @throws WorldError `already-signed` for another message of a height that was signed, or of one at or below the
   *   heights that were imported or forgotten.
   */
  record(statement: SignedStatement): void;
  close(): void;
}

/** Heights that are remembered singly: some hours of one a second, in ten megabytes. */
const mostHeights = 65_536;

/**
 * The rule, without a file: what was signed by height, and the height up to which nothing more is signed. Where too
 * many are remembered the lower half is forgotten, and nothing is signed at or below it any more.
 */
export class SignedHeights {
  readonly #byHeight = new Map<bigint, string>();
  /** At or below it only what is known is signed again. */
  lowest: bigint | undefined;

  get entries(): IterableIterator<[bigint, string]> {
    return this.#byHeight.entries();
  }

  /**
   * Whether a statement is new.
   *
   * @throws WorldError `already-signed`.
   */
  isNew({ message, height }: SignedStatement): boolean {
    if (height === undefined) return true;
    if (height < 0n || height >= 2n ** 64n)
      throw new RangeError(`height: expected an integer from 0 to 2^64 - 1, got ${height}`);
    const hash = toHex(message);
    const known = this.#byHeight.get(height);
    if (known === hash) return false;
    if (known !== undefined)
      throw new WorldError(
        'already-signed',
        `height ${height}: expected the message ${known}, which was signed, got ${hash}; a height is signed once`,
      );
    if (this.lowest !== undefined && height <= this.lowest)
      throw new WorldError(
        'already-signed',
        `height ${height}: expected one over ${this.lowest}, up to which something else may have been signed`,
      );
    return true;
  }

  add(height: bigint, hash: string): void {
    this.#byHeight.set(height, hash);
    if (this.#byHeight.size > mostHeights) this.#forgetLowerHalf();
  }

  #forgetLowerHalf(): void {
    const heights = [...this.#byHeight.keys()].sort((a, b) => (a < b ? -1 : 1));
    for (const height of heights.slice(0, heights.length >> 1)) {
      this.#byHeight.delete(height);
      if (this.lowest === undefined || height > this.lowest) this.lowest = height;
    }
  }
}

/** A log in memory, for tests and for members that never sign for heights: a restart forgets it. */
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
