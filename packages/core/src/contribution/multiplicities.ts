import { requireArray, requireBytes, requireMethods } from '../arguments.ts';
import { blsSignatureBytes } from '../bls.ts';
import { expected, requireInteger } from '../errors.ts';
import type { SignatureKernel } from './multiSignatureScheme.ts';

/** Maximum multiplicity of a validator in a merged aggregate: 15, the largest four-bit value. */
export const maxMultiplicity = 15;

/** Rejection of a peer's bytes. */
interface RefusedMultiplicities {
  readonly ok: false;
  readonly code: 'wrong-length' | 'empty-set' | 'count-beyond-end';
}

/** Result of {@link readMultiplicities}: one multiplicity per validator, or a rejection code. */
export type ReadMultiplicities = { readonly ok: true; readonly counts: Uint8Array } | RefusedMultiplicities;

/**
 * Returns the length, in bytes, of an encoded vector over `members` validators: half a byte per validator (Horn:
 * "Aggregation with four-bit integer vectors").
 */
export function multiplicityCodeBytes(members: number): number {
  return (members + 1) >>> 1;
}

/** Encodes a vector, two multiplicities per byte, the first in the low half. @param counts multiplicities, 0 to 15. */
export function writeMultiplicities(counts: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(multiplicityCodeBytes(counts.length));
  counts.forEach((count, member) => {
    bytes[member >>> 1]! |= count << (4 * (member & 1));
  });
  return bytes;
}

/**
 * Decodes a peer's bytes as a vector over `members` validators. Returns an error code for invalid bytes and does not
 * throw.
 */
export function readMultiplicities(bytes: Uint8Array, members: number): ReadMultiplicities {
  if (bytes.length !== multiplicityCodeBytes(members)) return { ok: false, code: 'wrong-length' };
  if (bytes.every((byte) => byte === 0)) return { ok: false, code: 'empty-set' };
  if (members % 2 === 1 && bytes.at(-1)! >>> 4 !== 0) return { ok: false, code: 'count-beyond-end' };
  const counts = Uint8Array.from(
    { length: members },
    (_, member) => (bytes[member >>> 1]! >>> (4 * (member & 1))) & 0xf,
  );
  return { ok: true, counts };
}

/**
 * The group of the public keys, passed by the caller. A key may be the identity, because intermediate sums may cancel
 * out.
 */
export interface KeyGroup<Key> {
  addKeys(a: Key, b: Key): Key;
  negateKey(key: Key): Key;
}

/** Sums of the keys of every `span` consecutive validators, computed once when the committee is known. */
export interface KeyTotals<Key> {
  readonly span: number;
  readonly keys: readonly Key[];
}

/**
 * Returns the sum of all keys, each multiplied by its multiplicity. The function adds each key to the bucket for its
 * multiplicity. The weighted sum of the buckets then costs two additions per bucket, instead of one multiplication per
 * key.
 *
 * With `totals`, only keys whose multiplicity differs from the most common one in their span cost an addition. This
 * method is Horn's subtraction from the committee's total ("Verification time for collections"), for counts instead of
 * bits. A span should be a subcommittee, since each subcommittee has its own most common multiplicity.
 *
 * @param counts one multiplicity per key, 0 to 15.
 * @returns undefined if all multiplicities are 0.
 */
export function sumOfMultiples<Key>(
  keys: readonly Key[],
  counts: Uint8Array,
  group: KeyGroup<Key>,
  totals?: KeyTotals<Key>,
): Key | undefined {
  const plus = (a: Key | undefined, b: Key | undefined) =>
    a === undefined ? b : b === undefined ? a : group.addKeys(a, b);
  const buckets: (Key | undefined)[] = [];
  const put = (key: Key, multiplicity: number) => {
    const bucket = Math.abs(multiplicity);
    buckets[bucket] = plus(buckets[bucket], multiplicity < 0 ? group.negateKey(key) : key);
  };
  const commons = totals?.keys.map((total, index) => {
    const common = mostCommon(counts.subarray(index * totals.span, (index + 1) * totals.span));
    if (common > 0) put(total, common);
    return common;
  });
  counts.forEach((count, member) => {
    const common = commons === undefined ? 0 : commons[Math.floor(member / totals!.span)]!;
    if (count !== common) put(keys[member]!, count - common);
  });
  let running: Key | undefined;
  let sum: Key | undefined;
  for (let bucket = maxMultiplicity; bucket > 0; bucket--) {
    running = plus(running, buckets[bucket]);
    sum = plus(sum, running);
  }
  return sum;
}

/**
 * Returns the totals for {@link sumOfMultiples}. The last span may be shorter than `span`. @throws RangeError for a span
 * that is not an integer from 1 to 2^24.
 */
export function keyTotals<Key>(keys: readonly Key[], span: number, group: KeyGroup<Key>): KeyTotals<Key> {
  requireInteger('span', span, 1, 2 ** 24);
  const totals: Key[] = [];
  for (let start = 0; start < keys.length; start += span) {
    totals.push(keys.slice(start, start + span).reduce((sum, key) => group.addKeys(sum, key)));
  }
  return { span, keys: totals };
}

/** Returns the most common multiplicity, or the smallest one if several are equally common. */
function mostCommon(counts: Uint8Array): number {
  const tally = new Int32Array(maxMultiplicity + 1);
  for (const count of counts) tally[count]!++;
  return tally.indexOf(Math.max(...tally));
}

/**
 * Curve library functions that the scheme needs for one message. The caller passes these functions, so that this
 * package contains no curve.
 */
export interface MultiplicityKernel<Key> extends SignatureKernel, KeyGroup<Key> {
  /**
   * Returns whether `signature` (96 bytes, or a checked point of 192 bytes) is valid for the message under the key. No
   * signature is valid if the key is the identity.
   */
  verify(key: Key, signature: Uint8Array): boolean;
}

const kernelMethods = ['addKeys', 'negateKey', 'addSignatures', 'decodeSignature', 'encodeSignature', 'verify'];

/** A range of consecutive subcommittees that a contribution covers. */
export interface Subcommittees {
  readonly first: number;
  readonly number: number;
}

/** An immutable signature, with the multiplicity of each validator that it covers. */
export interface MultiplicityContribution {
  readonly over: Subcommittees;
  /** One multiplicity per validator of these subcommittees, 0 to 15. */
  readonly counts: Uint8Array;
  /** The signature: 96 unchecked bytes as received, or a checked point of 192 bytes. */
  readonly signature: Uint8Array;
}

/** Result of decoding a peer's bytes: a contribution, or a rejection code. */
export type DecodedMultiplicities =
  | { readonly ok: true; readonly contribution: MultiplicityContribution }
  | RefusedMultiplicities;

/**
 * BLS multi-signatures in which aggregates may overlap (Horn: "Aggregation with four-bit integer vectors"). A collector
 * that can merge all of a subcommittee's aggregates does not have to choose one of them. One honest aggregator is
 * enough for the inclusion of every honest vote.
 *
 * Intentional divergence: this class does not implement `AggregationScheme`. Handel aggregates only disjoint
 * contributions, in blocks of its tree. Collectors aggregate contributions over subcommittees, overlapping or not, and
 * store only a few contributions.
 */
export class MultiplicityScheme<Key> {
  readonly #keys: readonly Key[];
  readonly #kernel: MultiplicityKernel<Key>;
  readonly #totals: KeyTotals<Key>;

  /**
   * @param keys keys of the committee, in order, with verified proofs of possession.
   * @param subcommittee number of validators per subcommittee, which divides the number of keys.
   * @throws RangeError for a subcommittee size that does not divide the number of keys; TypeError for keys or a kernel
   * of the wrong type.
   */
  constructor(keys: readonly Key[], subcommittee: number, kernel: MultiplicityKernel<Key>) {
    requireArray('keys', keys, 'an array of public keys');
    requireMethods('kernel', kernel, kernelMethods);
    requireInteger('subcommittee', subcommittee, 1, Math.max(1, keys.length));
    if (keys.length % subcommittee !== 0) {
      throw new RangeError(expected('keys', `whole subcommittees of ${subcommittee}`, keys.length));
    }
    this.#keys = keys;
    this.#kernel = kernel;
    this.#totals = keyTotals(keys, subcommittee, kernel);
  }

  /**
   * Creates a contribution from an aggregator's signature (96 bytes) and bitfield.
   *
   * @param bits one bit per validator, 0 or 1.
   * @throws RangeError for subcommittees outside the committee, for bits other than one 0 or 1 per validator, or for a
   * signature of another length. TypeError for bits that are not an array or a signature that is not bytes.
   */
  contribution(over: Subcommittees, bits: readonly number[], signature: Uint8Array): MultiplicityContribution {
    const members = this.members(over);
    requireArray('bits', bits);
    requireBytes('signature', signature);
    if (bits.length !== members) throw new RangeError(expected('bits', `one for each of ${members}`, bits.length));
    if (bits.some((bit) => bit !== 0 && bit !== 1)) throw new RangeError(expected('bits', 'zeros and ones', bits));
    if (signature.length !== blsSignatureBytes) {
      throw new RangeError(expected('signature', `${blsSignatureBytes} bytes`, signature.length));
    }
    return { over, counts: Uint8Array.from(bits), signature: signature.slice() };
  }

  /**
   * Returns the number of validators in these subcommittees. @throws RangeError for subcommittees outside the
   * committee.
   */
  members({ first, number }: Subcommittees): number {
    const there = this.#totals.keys.length;
    requireInteger('first', first, 0, there - 1);
    requireInteger('number', number, 1, there - first);
    return number * this.#totals.span;
  }

  /**
   * Returns w(c): the number of validators in the contribution. Each validator counts once, whatever its multiplicity.
   */
  weight({ counts }: MultiplicityContribution): number {
    return counts.reduce((weight, count) => weight + (count > 0 ? 1 : 0), 0);
  }

  /**
   * Returns Aggr(a, b) over the given subcommittees, which must include the subcommittees of both contributions, or
   * undefined if any validator's multiplicity would exceed 15. Both contributions must have been verified.
   *
   * @throws RangeError if `over` is outside the committee or does not include these subcommittees, or if a signature
   * encodes no point.
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
        const range = `${over.number} from ${over.first}`;
        throw new RangeError(expected('over', 'a range that includes the subcommittees of both contributions', range));
      }
      added.forEach((count, member) => {
        counts[at + member]! += count;
      });
    }
    if (counts.some((count) => count > maxMultiplicity)) return undefined;
    return { over, counts, signature: this.#kernel.addSignatures(this.#point(a), this.#point(b)) };
  }

  /**
   * Computes Ver(c) with one verification, under the sum of all keys, each multiplied by its multiplicity. This
   * computation is expensive.
   */
  verify({ over, counts, signature }: MultiplicityContribution): boolean {
    const { span, keys: totals } = this.#totals;
    const start = over.first * span;
    const key = sumOfMultiples(this.#keys.slice(start, start + counts.length), counts, this.#kernel, {
      span,
      keys: totals.slice(over.first, over.first + over.number),
    });
    return key !== undefined && this.#kernel.verify(key, signature);
  }

  /** Encodes the multiplicities, followed by the signature. The topic determines the subcommittees. */
  encode({ counts, signature }: MultiplicityContribution): Uint8Array {
    const vector = writeMultiplicities(counts);
    const bytes = new Uint8Array(vector.length + blsSignatureBytes);
    bytes.set(vector);
    bytes.set(
      signature.length === blsSignatureBytes ? signature : this.#kernel.encodeSignature(signature),
      vector.length,
    );
    return bytes;
  }

  /**
   * Decodes a peer's bytes as a contribution over these subcommittees, without verifying it. @throws RangeError for
   * subcommittees outside the committee.
   */
  decode(over: Subcommittees, bytes: Uint8Array): DecodedMultiplicities {
    const members = this.members(over);
    const end = multiplicityCodeBytes(members);
    if (bytes.length !== end + blsSignatureBytes) return { ok: false, code: 'wrong-length' };
    const read = readMultiplicities(bytes.subarray(0, end), members);
    return read.ok ? { ok: true, contribution: { over, counts: read.counts, signature: bytes.slice(end) } } : read;
  }

  #point({ signature }: MultiplicityContribution): Uint8Array {
    if (signature.length !== blsSignatureBytes) return signature;
    const decoded = this.#kernel.decodeSignature(signature);
    if (decoded.ok) return decoded.point;
    throw new RangeError(
      'contribution: expected a verified signature to aggregate, got bytes that do not encode a point',
    );
  }
}
