import { expected, requireArray, requireInteger, requireMethods } from '../errors.ts';
import {
  mostMultiplicity,
  multiplicityCodeBytes,
  readMultiplicities,
  writeMultiplicities,
} from './multiplicityCode.ts';
import { type KeyGroup, type KeyTotals, keyTotals, sumOfMultiples } from './multiplicitySum.ts';
import type { SignatureKernel } from './multiSignatureScheme.ts';

/** Length of a compressed signature, bytes: a point of G2 of BLS12-381. */
const signatureBytes = 96;

/** What the scheme needs of a curve library, for one message; it is handed in, so that core holds no curve. */
export interface MultiplicityKernel<Key> extends SignatureKernel, KeyGroup<Key> {
  /**
   * Is `signature` (96 bytes, or a checked point of 192) valid on the message under the key? Under the identity none
   * is.
   */
  verify(key: Key, signature: Uint8Array): boolean;
}

/** What a contribution covers: this many subcommittees of the committee in a row. */
export interface Subcommittees {
  readonly first: number;
  readonly number: number;
}

/** A signature, and how often each validator's is in it. Immutable. */
export interface MultiplicityContribution {
  readonly over: Subcommittees;
  /** One a validator of these subcommittees, 0 to 15. */
  readonly counts: Uint8Array;
  /** 96 bytes as they came, unchecked until verified; or 192, a checked point. */
  readonly signature: Uint8Array;
}

export type DecodedMultiplicities =
  | { readonly ok: true; readonly contribution: MultiplicityContribution }
  | { readonly ok: false; readonly code: 'wrong-length' | 'empty-set' | 'count-beyond-end' };

/**
 * BLS multi-signatures in which aggregates may overlap (Horn: "Aggregation with four-bit integer vectors"): a collector
 * that can merge all of a subcommittee's aggregates need not choose one, and one honest aggregator is enough for every
 * honest vote to be in.
 *
 * Intentional divergence: this is no `AggregationScheme`. Handel aggregates only disjoint contributions, over its tree;
 * collectors aggregate whatever fits, over subcommittees, and keep a handful.
 */
export class MultiplicityScheme<Key> {
  readonly #keys: readonly Key[];
  readonly #kernel: MultiplicityKernel<Key>;
  readonly #totals: KeyTotals<Key>;

  /**
   * @param keys of the committee, in order, with verified proofs of possession. @param subcommittee validators of one
   * subcommittee.
   */
  constructor(keys: readonly Key[], subcommittee: number, kernel: MultiplicityKernel<Key>) {
    requireArray('keys', keys, 'an array of public keys');
    requireMethods('kernel', kernel, ['addKeys', 'negateKey', 'addSignatures', 'verify']);
    requireInteger('subcommittee', subcommittee, 1, Math.max(1, keys.length));
    if (keys.length % subcommittee !== 0) {
      throw new RangeError(expected('keys', `whole subcommittees of ${subcommittee}`, keys.length));
    }
    this.#keys = keys;
    this.#kernel = kernel;
    this.#totals = keyTotals(keys, subcommittee, kernel);
  }

  /** What an aggregator's signature (96 bytes) and bitfield say. @param bits one a validator, 0 or 1. */
  contribution(over: Subcommittees, bits: readonly number[], signature: Uint8Array): MultiplicityContribution {
    const members = this.members(over);
    if (bits.length !== members) throw new RangeError(expected('bits', `one for each of ${members}`, bits.length));
    if (bits.some((bit) => bit !== 0 && bit !== 1)) throw new RangeError(expected('bits', 'zeros and ones', bits));
    if (signature.length !== signatureBytes) {
      throw new RangeError(expected('signature', `${signatureBytes} bytes`, signature.length));
    }
    return { over, counts: Uint8Array.from(bits), signature };
  }

  /** Validators of these subcommittees. @throws RangeError when the committee does not have them. */
  members({ first, number }: Subcommittees): number {
    const there = this.#totals.keys.length;
    requireInteger('first', first, 0, there - 1);
    requireInteger('number', number, 1, there - first);
    return number * this.#totals.span;
  }

  /** w(c): validators that are in it, however often. */
  weight({ counts }: MultiplicityContribution): number {
    return counts.reduce((weight, count) => weight + (count > 0 ? 1 : 0), 0);
  }

  /**
   * Aggr(a, b) over the given subcommittees, which include those of both; undefined if some validator's multiplicity
   * would exceed 15. Both must have been verified.
   */
  aggregate(
    over: Subcommittees,
    a: MultiplicityContribution,
    b: MultiplicityContribution,
  ): MultiplicityContribution | undefined {
    const counts = new Uint8Array(this.members(over));
    for (const { over: own, counts: added } of [a, b]) {
      const at = (own.first - over.first) * this.#totals.span;
      if (at < 0 || at + added.length > counts.length) {
        throw new RangeError(expected('over', 'subcommittees among which are those of both', text(over)));
      }
      added.forEach((count, member) => {
        counts[at + member]! += count;
      });
    }
    if (counts.some((count) => count > mostMultiplicity)) return undefined;
    return { over, counts, signature: this.#kernel.addSignatures(this.#point(a), this.#point(b)) };
  }

  /** Ver(c): one verification, under the sum of the keys times their multiplicities. Costly. */
  verify({ over, counts, signature }: MultiplicityContribution): boolean {
    const { span, keys: totals } = this.#totals;
    const start = over.first * span;
    const key = sumOfMultiples(this.#keys.slice(start, start + counts.length), counts, this.#kernel, {
      span,
      keys: totals.slice(over.first, over.first + over.number),
    });
    return key !== undefined && this.#kernel.verify(key, signature);
  }

  /** The multiplicities and then the signature; whom they are over is known from the topic. */
  encode({ counts, signature }: MultiplicityContribution): Uint8Array {
    const vector = writeMultiplicities(counts);
    const bytes = new Uint8Array(vector.length + signatureBytes);
    bytes.set(vector);
    bytes.set(signature.length === signatureBytes ? signature : this.#kernel.encodeSignature(signature), vector.length);
    return bytes;
  }

  /** Reads what a peer says is a contribution over these subcommittees, without verifying it. */
  decode(over: Subcommittees, bytes: Uint8Array): DecodedMultiplicities {
    const members = this.members(over);
    const end = multiplicityCodeBytes(members);
    if (bytes.length !== end + signatureBytes) return { ok: false, code: 'wrong-length' };
    const read = readMultiplicities(bytes.subarray(0, end), members);
    return read.ok ? { ok: true, contribution: { over, counts: read.counts, signature: bytes.slice(end) } } : read;
  }

  #point({ signature }: MultiplicityContribution): Uint8Array {
    if (signature.length !== signatureBytes) return signature;
    const decoded = this.#kernel.decodeSignature(signature);
    if (decoded.ok) return decoded.point;
    throw new RangeError('contribution: expected a verified signature to aggregate, got bytes that are no point');
  }
}

function text({ first, number }: Subcommittees): string {
  return `${number} from ${first}`;
}
