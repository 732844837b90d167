import { isBytes, misuse, requireList } from './arguments.ts';
import { keptSignature, type PointOperations } from './pointStore.ts';
import { isFault, type KeptSignature, type PointFault, pointFaultText } from './points.ts';
import {
  type BlsRound,
  type ContributionClaim,
  claimedBits,
  type ReadClaims,
  requireClaimedKeys,
  requireRange,
} from './round.ts';
import type { Suite } from './suite.ts';

/** The sum of a claim's keys, and the claim's signature. */
export interface ReadClaim<Key, Signature> {
  readonly key: Key;
  readonly signature: Signature;
}

/**
 * Operations of a library that represents points as JavaScript objects. {@link openRound} builds a round from these
 * operations.
 */
export interface RoundOperations<Key, Signature> extends PointOperations<Key, Signature> {
  /**
   * Reads a point from previously checked uncompressed bytes; returns undefined if they do not encode a point of the
   * curve.
   */
  readTrustedKey(bytes: Uint8Array): Key | undefined;
  readTrustedSignature(bytes: Uint8Array): Signature | undefined;
  isInfinity(point: Key | Signature): boolean;
  /** Prepares a message for many checks. */
  claimsCheck(message: Uint8Array): ClaimsCheck<Key, Signature>;
}

/**
 * Returns whether all claims are valid. The claims contain no key sum and no signature that is infinity. A single claim
 * is checked alone, several claims together with newly drawn coefficients.
 */
export type ClaimsCheck<Key, Signature> = (claims: readonly ReadClaim<Key, Signature>[]) => boolean;

type OwnSignature = Uint8Array | KeptSignature;

class PointClaims<Key, Signature> implements ReadClaims {
  readonly #check: ClaimsCheck<Key, Signature>;
  #claims: readonly ReadClaim<Key, Signature>[] | undefined;

  constructor(
    check: ClaimsCheck<Key, Signature>,
    claims: readonly ReadClaim<Key, Signature>[],
    readonly places: readonly number[],
  ) {
    this.#check = check;
    this.#claims = claims;
  }

  hold(from: number, to: number): boolean {
    requireRange(from, to, this.places.length);
    if (this.#claims === undefined) throw misuse(TypeError, 'claims', 'live claims', 'freed ones');
    return this.#check(this.#claims.slice(from, to));
  }

  free(): void {
    this.#claims = undefined;
  }
}

class PointRound<Key, Signature> implements BlsRound<OwnSignature> {
  readonly #operations: RoundOperations<Key, Signature>;
  readonly #suite: Suite;
  readonly #keys: readonly Key[];
  /** Sums of eight consecutive keys, by the index of the first key. */
  readonly #runs = new Map<number, Key>();
  #check: ClaimsCheck<Key, Signature> | undefined;

  constructor(operations: RoundOperations<Key, Signature>, suite: Suite, keys: readonly Key[], message: Uint8Array) {
    this.#operations = operations;
    this.#suite = suite;
    this.#keys = keys;
    this.#check = operations.claimsCheck(message);
  }

  verify(first: number, bits: Uint8Array, signature: OwnSignature): boolean {
    requireClaimedKeys({ first, bits, signature }, '');
    const check = this.#live();
    const read = this.#read({ first, bits, signature }, '');
    return read !== undefined && check([read]);
  }

  verifyBatch(claims: readonly ContributionClaim<OwnSignature>[]): boolean {
    const read = this.readClaims(claims);
    const all = read.places.length === claims.length;
    return all && (claims.length === 0 || read.hold(0, claims.length));
  }

  readClaims(claims: readonly ContributionClaim<OwnSignature>[]): ReadClaims {
    requireList('claims', claims);
    const check = this.#live();
    const read: ReadClaim<Key, Signature>[] = [];
    const places: number[] = [];
    for (const [place, claim] of claims.entries()) {
      const label = `claims[${place}].`;
      requireClaimedKeys(claim, label);
      const one = this.#read(claim, label);
      if (one === undefined) continue;
      read.push(one);
      places.push(place);
    }
    return new PointClaims(check, read, places);
  }

  free(): void {
    this.#check = undefined;
  }

  #live(): ClaimsCheck<Key, Signature> {
    if (this.#check === undefined) throw misuse(TypeError, 'round', 'a live round', 'a freed one');
    return this.#check;
  }

  /**
   * Returns the sum of the keys that a contribution claims, and its signature, or undefined if the sum or the signature
   * is invalid or infinity.
   */
  #read(
    { first, bits, signature }: ContributionClaim<OwnSignature>,
    label: string,
  ): ReadClaim<Key, Signature> | undefined {
    const point = this.#readSignature(signature, `${label}signature`);
    const keys = claimedKeysOf(this.#keys, first, bits, (from) => this.#runFrom(from));
    if (keys === undefined || keys.length === 0 || point === undefined || isFault(point)) return undefined;
    const key = this.#operations.sumKeys(keys);
    const isInfinite = this.#operations.isInfinity(key) || this.#operations.isInfinity(point);
    return isInfinite ? undefined : { key, signature: point };
  }

  /**
   * Returns the sum of eight consecutive keys, for a byte with all bits set. Most bytes of most contributions have all
   * bits set.
   */
  #runFrom(from: number): Key {
    let sum = this.#runs.get(from);
    if (sum === undefined) {
      sum = this.#operations.sumKeys(this.#keys.slice(from, from + 8));
      this.#runs.set(from, sum);
    }
    return sum;
  }

  /** Reads a claim's signature: an untrusted peer's compressed bytes, checked uncompressed bytes, or a stored point. */
  #readSignature(signature: OwnSignature, label: string): Signature | PointFault | undefined {
    if (!isBytes(signature)) return keptSignature(this.#operations, label, signature);
    return signature.length === this.#suite.signatureBytes
      ? this.#operations.readSignature(signature, 'compressed')
      : this.#operations.readTrustedSignature(signature);
  }
}

/**
 * Returns the keys that a contribution claims, or undefined if a claimed key is beyond the registry.
 *
 * @param runFrom - returns the sum of eight consecutive keys, by the index of the first key. If `runFrom` is given, a
 * byte with all bits set adds this sum instead of eight keys.
 */
export function claimedKeysOf<Key>(
  keys: readonly Key[],
  first: number,
  bits: Uint8Array,
  runFrom?: (from: number) => Key,
): Key[] | undefined {
  const bytes = claimedBits(bits, first, keys.length);
  if (bytes === undefined) return undefined;
  const claimed: Key[] = [];
  for (const [i, byte] of bytes.entries())
    if (byte === 0xff && runFrom !== undefined) claimed.push(runFrom(first + i * 8));
    else
      for (let rest = byte; rest !== 0; rest &= rest - 1)
        claimed.push(keys[first + i * 8 + (31 - Math.clz32(rest & -rest))]!);
  return claimed;
}

/** Opens a round of a library that represents points as objects; arguments and errors are those of Bls.round. */
export function openRound<Key, Signature>(
  operations: RoundOperations<Key, Signature>,
  suite: Suite,
  publicKeys: readonly Uint8Array[],
  message: Uint8Array,
): BlsRound<OwnSignature> {
  const keys = publicKeys.map((bytes, i) => {
    const read =
      bytes.length === suite.publicKeyPointBytes
        ? (operations.readTrustedKey(bytes) ?? 'not-on-curve')
        : operations.readKey(bytes);
    const key = !isFault(read) && operations.isInfinity(read) ? 'infinity' : read;
    if (isFault(key)) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', pointFaultText(key));
    return key;
  });
  return new PointRound(operations, suite, keys, message);
}
