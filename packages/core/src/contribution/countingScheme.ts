import { blsSignatureBytes } from '../bls.ts';
import { requireInteger } from '../errors.ts';
import type { Contribution } from '../protocol.ts';
import { BitsetScheme } from './bitsetScheme.ts';
import type { DecodedContribution, ForgingScheme } from './scheme.ts';
import { readSet } from './setCode.ts';

/**
 * A scheme that only counts signers: a contribution is a set of ids, and is valid unless it was forged. The scheme
 * makes simulations of tens of thousands of nodes possible. Messages of this scheme have the same length as messages
 * with BLS signatures, so traffic counts are the same.
 *
 * The store guarantees unforgeability (v1.03 section 2.1): only {@link forge}, which adversaries call, creates an
 * invalid contribution. An aggregate that includes a forged contribution is also invalid.
 */
export class CountingScheme extends BitsetScheme implements ForgingScheme {
  /** 1 for each row with an invalid contribution, otherwise 0. */
  #forged = new Uint8Array(64);
  #forgedCount = 0;

  /** Returns the individual contribution of `id`. @throws RangeError for an id out of range. */
  individual(id: number): Contribution {
    requireInteger('id', id, 0, this.tree.nodes - 1);
    return this.tree.leaf(id);
  }

  forge(block: number, words: Int32Array | undefined): Contribution {
    const contribution = this.newContribution(block, words);
    this.#mark(contribution);
    return contribution;
  }

  override verify(contribution: Contribution): boolean {
    const row = this.row(contribution);
    return row < 0 || row >= this.#forged.length || this.#forged[row] === 0;
  }

  override encodedBytes(contribution: Contribution): number {
    return this.setBytes(contribution) + blsSignatureBytes;
  }

  override encode(contribution: Contribution, out: Uint8Array, offset: number): number {
    const end = this.encodeSet(contribution, out, offset);
    out.fill(this.verify(contribution) ? 0 : 0xff, end, end + blsSignatureBytes);
    return end + blsSignatureBytes;
  }

  override decode(block: number, bytes: Uint8Array, offset: number): DecodedContribution {
    const read = readSet(this.tree.size(block), bytes, offset);
    if (!read.ok) return read;
    const end = read.end + blsSignatureBytes;
    if (end > bytes.length) return { ok: false, code: 'truncated' };
    const forged = bytes.subarray(read.end, end).some((byte) => byte !== 0);
    if (!forged && read.words === undefined) return { ok: true, contribution: block, end };
    const contribution = forged ? this.forge(block, read.words) : this.newContribution(block, read.words);
    return { ok: true, contribution, end };
  }

  protected override isCanonical(a: Contribution, b: Contribution): boolean {
    return this.#forgedCount === 0 || (this.verify(a) && this.verify(b));
  }

  protected override onAggregated(made: Contribution, a: Contribution, b: Contribution): void {
    if (this.#forgedCount > 0 && !(this.verify(a) && this.verify(b))) this.#mark(made);
  }

  protected override onFreed(contribution: Contribution): void {
    if (this.#forgedCount === 0 || this.verify(contribution)) return;
    this.#forged[this.row(contribution)] = 0;
    this.#forgedCount--;
  }

  #mark(contribution: Contribution): void {
    const row = this.row(contribution);
    if (row >= this.#forged.length) {
      const longer = new Uint8Array(Math.max(row + 1, this.#forged.length * 2));
      longer.set(this.#forged);
      this.#forged = longer;
    }
    this.#forged[row] = 1;
    this.#forgedCount++;
  }
}
