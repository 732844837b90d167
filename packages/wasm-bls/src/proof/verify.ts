import { type Claim, type ProvedStatement, readClaim } from './claim.ts';
import { infinities, joinBytes } from './group.ts';
import { Fr } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { Transcript } from './transcript.ts';

/**
 * Whether a proof shows its statement (Horn: "Aggregation using SNARKs"): that whoever made it knew multiplicities, one a key, which
 * give the aggregated key and the commitment. Linear in the keys: one sum of two points a key and a few more.
 *
 * Not shown: which keys have a multiplicity other than zero, so that a bitfield beside the proof is a claim still; nor that a
 * multiplicity is small.
 *
 * @param proved anything from a peer; malformed bytes are `false`.
 */
export function verifyProof(setting: ProofSetting, proved: ProvedStatement): boolean {
  const claim = readClaim(setting, proved);
  return claim !== undefined && claimsHold(setting, [claim]);
}

/**
 * Whether all claims are true: their sums, each times a weight that depends on all of them, make one sum, which false ones leave at
 * infinity with a probability of 2^-128.
 */
export function claimsHold(setting: ProofSetting, claims: readonly Claim[]): boolean {
  const keyScalars = new Array<bigint>(setting.keyCount).fill(0n);
  const generatorScalars = new Array<bigint>(setting.keyCount).fill(0n);
  const weights = claimWeights(claims);
  for (const [j, { first, challenges, weight }] of claims.entries()) {
    const unrolled = unroll(Fr.mul(weights[j]!, first), challenges, setting.keyCount);
    for (const [i, scalar] of unrolled.entries()) {
      keyScalars[i] = Fr.add(keyScalars[i]!, scalar);
      generatorScalars[i] = Fr.add(generatorScalars[i]!, Fr.mul(weight, scalar));
    }
  }
  const ofProofs = claims.flatMap(({ scalars }, j) => scalars.map((scalar) => Fr.mul(weights[j]!, scalar)));
  const sum = setting.group.combine(
    joinBytes([setting.keys, setting.generators, ...claims.map(({ points }) => points)]),
    [...keyScalars, ...generatorScalars, ...ofProofs],
  );
  return sum.every((byte, i) => byte === infinity[i]);
}

const infinity = infinities(1);

/** One weight a claim; a single claim needs none. */
function claimWeights(claims: readonly Claim[]): bigint[] {
  if (claims.length === 1) return [1n];
  const transcript = new Transcript();
  for (const { digest } of claims) transcript.append('claim', digest);
  return claims.map(() => transcript.challenge('weigh'));
}

/** What the halvings make of each key's scalar: `first` times the challenges of the rounds in which that key was in the upper half. */
function unroll(first: bigint, challenges: readonly bigint[], count: number): bigint[] {
  const scalars = [first];
  for (const challenge of challenges.toReversed())
    for (let i = 0, low = scalars.length; i < low; i++) scalars.push(Fr.mul(challenge, scalars[i]!));
  return scalars.slice(0, count);
}
