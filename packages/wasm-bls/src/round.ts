import { misuse, requireBytes, requireIndex, requireList, requireMethods, requireObject, shown } from './arguments.ts';
import type { KeptSignature } from './points.ts';

/** Claim of a contribution: its signature is the sum of these signers' signatures on the round's message. */
export interface ContributionClaim<Signature = Uint8Array> {
  /** Registry index of the set's first bit: an integer of 0 or more, from the caller. */
  readonly first: number;
  /** Claimed keys: bit b, that is bit `b & 7` of `bits[b >> 3]`, claims key first + b; untrusted peer input. */
  readonly bits: Uint8Array;
  /**
   * Signature: 96 bytes, compressed G2 (with `min-sig` 48, G1), untrusted peer input; or twice as many bytes from
   * decodeSignature or addSignatures; or a stored signature, if the round accepts stored signatures.
   */
  readonly signature: Signature;
}

/**
 * One message and one registry, for the verification of contributions. A stored signature may be from any store of the
 * same Bls.
 */
export interface BlsRound<Signature = Uint8Array> {
  /**
   * Returns whether a signature is the sum of the claimed signers' signatures.
   *
   * @param first - registry index of the set's first bit: an integer of 0 or more, from the caller.
   * @param bits - bit b, that is bit `b & 7` of `bits[b >> 3]`, claims key first + b. The result is `false` for an
   * empty set, and for a set that claims a key beyond the registry.
   * @param signature - 96 bytes, compressed G2 (with `min-sig` 48, G1), untrusted peer input; or twice as many bytes
   * from decodeSignature or addSignatures, trusted to be in the subgroup. The result is `false` for infinity.
   * @throws RangeError if `first` is not such an integer, or if a stored signature is not live or belongs to another
   * library; TypeError after free().
   */
  verify(first: number, bits: Uint8Array, signature: Signature): boolean;

  /**
   * Returns whether all of several claims are valid, in one check of two pairings. Each claim's equation is multiplied
   * by a random coefficient, and the sum of the equations is checked (Bellare, Garay, Rabin: Fast Batch Verification
   * for Modular Exponentiation and Digital Signatures, EUROCRYPT 1998, small exponents test).
   *
   * Soundness: every signature read from its compressed form is checked individually to be in the group of prime order
   * r. For any values of the other claims, at most one value modulo r of an invalid claim's coefficient makes the sum
   * correct. A batch with an invalid claim therefore passes with a probability of at most 2^-63, even if its claims
   * were chosen to cancel each other out. A valid batch is rejected with at most the same probability, if the sum
   * happens to be infinity.
   *
   * The round draws the coefficients from the system's random number generator after it has received all claims.
   *
   * @param claims - as for verify; the same claim may occur twice. The result for an empty list is `true`; a single
   * claim is verified alone.
   * @returns `true` if verify is `true` for each claim, or `false` if verify is `false` for at least one claim, which
   * roundVerdicts finds.
   * @throws RangeError if a `first` is not such an integer; TypeError after free().
   */
  verifyBatch(claims: readonly ContributionClaim<Signature>[]): boolean;

  /**
   * Reads claims once, for any number of checks of subsets of them. The call sums each claim's keys and decodes its
   * signature, which is the expensive part for a large registry.
   *
   * @param claims - as for verify; their bytes may be reused after the call.
   * @returns claims that use kernel memory until their free() is called, even after the round's free().
   * @throws the errors of verifyBatch.
   */
  readClaims(claims: readonly ContributionClaim<Signature>[]): ReadClaims;

  /** Releases the round's memory. A second call has no effect. */
  free(): void;
}

/** Claims of one round that have been read. These claims can be checked any number of times, in any ranges. */
export interface ReadClaims {
  /**
   * Positions of the claims that can be valid, ascending. Claims for which verify is `false` without a pairing are
   * omitted: claims of no key or of a key beyond the registry, with bytes that are not a point, or with infinity.
   */
  readonly places: readonly number[];

  /**
   * Returns whether all claims of a range are valid, in one check of two pairings with newly drawn coefficients. The
   * soundness is the same as that of verifyBatch.
   *
   * @param from - index into `places` of the first claim.
   * @param to - index after the last claim; at least `from` + 1.
   * @throws RangeError for an invalid range; TypeError after free().
   */
  hold(from: number, to: number): boolean;

  /** Releases the memory. A second call has no effect. */
  free(): void;
}

/**
 * Checks that a value is a list of claims in the form that a round accepts. @throws TypeError or RangeError that names
 * the wrong argument.
 */
export function requireClaims(claims: readonly ContributionClaim[]): void {
  requireList('claims', claims);
  for (const [i, claim] of claims.entries()) requireClaim(claim, `claims[${i}].`);
}

/**
 * Checks that a value is a claim in the form that a round accepts. The bytes from a peer may have any content. @throws
 * TypeError or RangeError for any other value.
 */
export function requireClaim(claim: ContributionClaim, label = ''): void {
  requireClaimedKeys(claim, label);
  requireBytes(`${label}signature`, claim.signature);
}

/**
 * Checks a claim's first index and its bits, but not its signature.
 *
 * @param label - prefix of the argument's name in an error, with its final dot; empty if the claim is not in a list.
 * @throws TypeError or RangeError for any other value.
 */
export function requireClaimedKeys(claim: ContributionClaim<Uint8Array | KeptSignature>, label: string): void {
  requireObject(label.slice(0, -1) || 'claim', claim);
  requireIndex(`${label}first`, claim.first);
  requireBytes(`${label}bits`, claim.bits);
}

/** Checks that two positions delimit a range of at least one item in a list. @throws RangeError otherwise. */
export function requireRange(from: number, to: number, length: number): void {
  requireIndex('from', from);
  if (!Number.isSafeInteger(to) || to <= from || to > length)
    throw misuse(RangeError, 'to', `an integer in ${from + 1}..${length}`, shown(to));
}

/**
 * Returns the bytes of a claim's bits that can name keys of a registry, or undefined if a bit beyond the registry is
 * set. A library therefore never gets more bytes than the registry needs, even if a peer appends zeros.
 *
 * @param first - registry index of the first bit.
 */
export function claimedBits(bits: Uint8Array, first: number, registrySize: number): Uint8Array | undefined {
  const reach = Math.max(0, registrySize - first);
  const bytes = Math.ceil(reach / 8);
  for (let i = bits.length - 1; i >= bytes; i--) if (bits[i] !== 0) return undefined;
  if (bits.length < bytes || reach % 8 === 0) return bits.subarray(0, bytes);
  return bits[bytes - 1]! >> (reach % 8) === 0 ? bits.subarray(0, bytes) : undefined;
}

/**
 * Length of a coefficient of a batch, bytes. With 64 bits, one attempt at a forgery in 2^63 succeeds, and the sender of
 * a failed attempt is identified. The length of the coefficients determines most of a claim's cost in a batch.
 */
export const coefficientBytes = 8;

/** Maximum number of bytes that Web Crypto returns per call (Web Cryptography, section 10.1.1). */
const maxRandomBytes = 65_536;

/**
 * Draws little-endian coefficients for a check of this many claims from the system's random number generator. The
 * caller cannot pass coefficients, because a sender that can predict them can make invalid claims that cancel each
 * other out. A zero coefficient would skip its claim, so it is replaced with 1.
 */
export function drawCoefficients(claims: number): Uint8Array {
  const bytes = new Uint8Array(claims * coefficientBytes);
  for (let at = 0; at < bytes.length; at += maxRandomBytes)
    crypto.getRandomValues(bytes.subarray(at, at + maxRandomBytes));
  for (let at = 0; at < bytes.length; at += coefficientBytes)
    if (bytes.subarray(at, at + coefficientBytes).every((byte) => byte === 0)) bytes[at] = 1;
  return bytes;
}

/**
 * Returns each claim's validity in a round, in order, as `verify` would, by joint checks. Every claim is read only
 * once, even if several checks include it.
 *
 * @param claims - as for BlsRound.verify.
 * @throws the errors of BlsRound.readClaims.
 */
export function roundVerdicts<Signature = Uint8Array>(
  round: BlsRound<Signature>,
  claims: readonly ContributionClaim<Signature>[],
): boolean[] {
  requireMethods('round', round, ['readClaims']);
  requireList('claims', claims);
  const verdicts = new Array<boolean>(claims.length).fill(false);
  const read = round.readClaims(claims);
  try {
    const found = batchVerdicts(read.places.length, (from, to) => read.hold(from, to));
    for (const [i, valid] of found.entries()) verdicts[read.places[i]!] = valid;
  } finally {
    read.free();
  }
  return verdicts;
}

/**
 * Cost that one claim adds to a joint check, in units of a single check. The measured cost of a claim is 1/20 to 1/6
 * (docs/benchmarks/bls-kernel.md).
 */
const claimCost = 1 / 8;

/**
 * Returns the validity of each claim of a batch. One joint check is enough if all claims are valid. Otherwise, while
 * there are few invalid claims, halving needs about 2 log2(n) more checks for each of them.
 *
 * Many invalid claims cost little more than a few. All checks together cost at most 1.5 times as much as single checks
 * of all claims, plus four (a check of n > 1 claims counts as 1 + n/8 single ones). Parts are halved as long as the
 * remaining claims could still be checked singly within that bound. Each valid part increases the remaining budget.
 *
 * @param claims - number of claims.
 * @param hold - returns whether all claims of a range are valid; the range is never empty. The result must be correct,
 * except with negligible probability.
 * @returns one verdict per claim, in order.
 */
export function batchVerdicts(claims: number, hold: (from: number, to: number) => boolean): boolean[] {
  const verdicts = new Array<boolean>(claims).fill(false);
  /** The bound, minus the cost so far and the cost of checking the undecided claims singly. */
  let budget = claims / 2 + 4;
  /** Ranges of claims, [from, to), each with at least one invalid claim. */
  const failed: [from: number, to: number][] = [];

  const check = (from: number, to: number): boolean => {
    const held = hold(from, to);
    if (held) verdicts.fill(true, from, to);
    if (to - from > 1) budget += (held ? to - from : 0) - checkCost(to - from);
    return held;
  };
  const checkPart = (from: number, to: number): boolean => {
    const held = check(from, to);
    if (!held && to - from > 1) failed.push([from, to]);
    return held;
  };

  if (claims > 0) checkPart(0, claims);
  for (const [from, to] of failed) {
    const middle = (from + to) >> 1;
    // A claim known to be invalid needs no single check.
    if (to - from === 1) budget++;
    else if (budget < halvingCost(to - from)) for (let i = from; i < to; i++) check(i, i + 1);
    // If the first half is valid, the second half is invalid, so its own check is unnecessary.
    else if (checkPart(from, middle)) failed.push([middle, to]);
    else checkPart(middle, to);
  }
  return verdicts;
}

const checkCost = (claims: number): number => 1 + claims * claimCost;

/** Returns the cost of checking both halves of a part. */
const halvingCost = (claims: number): number => 2 + claims * claimCost;
