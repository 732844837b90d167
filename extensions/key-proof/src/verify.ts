import { infinities, joinBytes, slicePoints } from '@tutti/wasm-bls/kernel';
import { type ProvedStatement, type ReadProof, readProof } from './readProof.ts';
import { Fr, powers } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { Transcript } from './transcript.ts';

/**
 * Returns whether a proof is valid for its statement (Horn: "Aggregation using SNARKs"). If the proof is valid, the
 * aggregated key is the sum of the keys of exactly the validators whose bits are set, each counted 1 to 15 times. The
 * verification time is linear in the size of the committee: one sum of all its keys, of two more points per claimed
 * validator, and of a few more points.
 *
 * The proof shows nothing about signatures. A signature must be verified separately with the aggregated key, by a
 * pairing check that rejects infinity.
 *
 * @param proved statement and proof from a peer, which may be arbitrary data; malformed bytes give `false`.
 * @throws TypeError for any argument except an object with fields of bytes.
 */
export function verifyProof(setting: ProofSetting, proved: ProvedStatement): boolean {
  const proof = readProof(setting, proved);
  return proof !== undefined && proofsHold(setting, [proof]);
}

/**
 * Returns whether all proofs are valid. The sums of the proofs are added, each multiplied by a weight that depends on
 * all proofs. If a proof is invalid, the probability that the total is the point at infinity is only about 2^-128.
 *
 * @param proofs at least one proof.
 */
export function proofsHold(setting: ProofSetting, proofs: readonly ReadProof[]): boolean {
  const { group, generators } = setting;
  const maxCount = Math.max(...proofs.map(({ challenges }) => 2 ** challenges.length));
  const ofKeys = new Array<bigint>(setting.keyCount).fill(0n);
  const ofPoints = new Array<bigint>(maxCount).fill(0n);
  const ofInverses = new Array<bigint>(maxCount).fill(0n);
  let ofProduct = 0n;
  const proofWeights = weightsOfAll(proofs);
  for (const [i, proof] of proofs.entries()) {
    const { support, point, weights, sumOfInverses, challenges, left, right } = proof;
    const weight = proofWeights[i]!;
    const count = 2 ** challenges.length;
    const lefts = unroll(left, challenges);
    const rights = unroll(right, Fr.invertBatch([...challenges]));
    const down = powers(Fr.inv(weights.places), count);
    let sumOfPowers = 0n;
    let power = 1n;
    for (let j = 0; j < count; j++, power = Fr.mul(power, weights.places)) {
      const scalar = Fr.mul(weight, Fr.sub(Fr.add(point, Fr.mul(weights.sum, down[j]!)), lefts[j]!));
      ofPoints[j] = Fr.add(ofPoints[j]!, scalar);
      ofInverses[j] = Fr.sub(ofInverses[j]!, Fr.mul(weight, Fr.mul(rights[j]!, down[j]!)));
      const key = support[j];
      if (key !== undefined) ofKeys[key] = Fr.add(ofKeys[key]!, Fr.mul(weights.keys, scalar));
      sumOfPowers = Fr.add(sumOfPowers, power);
    }
    // Inner product that the README's equation requires.
    const product = Fr.mul(weights.inverses, Fr.add(sumOfPowers, Fr.mul(weights.sum, sumOfInverses)));
    const rest = Fr.mul(weights.product, Fr.sub(product, Fr.mul(left, right)));
    ofProduct = Fr.add(ofProduct, Fr.mul(weight, rest));
  }
  const ofProofs = proofs.flatMap(({ scalars }, i) => scalars.map((scalar) => Fr.mul(proofWeights[i]!, scalar)));
  const sum = group.combine(
    joinBytes([
      setting.keys,
      slicePoints(generators.points, 0, maxCount),
      slicePoints(generators.inverses, 0, maxCount),
      generators.product,
      ...proofs.map(({ points }) => points),
    ]),
    [...ofKeys, ...ofPoints, ...ofInverses, ofProduct, ...ofProofs],
  );
  return sum.every((byte, i) => byte === infinity[i]);
}

const infinity = infinities(1);

/** Returns one weight per proof; the weight of a single proof is 1. */
function weightsOfAll(proofs: readonly ReadProof[]): bigint[] {
  if (proofs.length === 1) return [1n];
  const transcript = new Transcript();
  for (const { digest } of proofs) transcript.append('claim', digest);
  return proofs.map(() => transcript.challenge('weigh'));
}

/**
 * Returns the factor of each position's scalar after the halvings: `last` times the challenges of the rounds in which
 * the position was in the upper half.
 */
function unroll(last: bigint, challenges: readonly bigint[]): bigint[] {
  const scalars = [last];
  for (const challenge of challenges.toReversed())
    for (let i = 0, low = scalars.length; i < low; i++) scalars.push(Fr.mul(challenge, scalars[i]!));
  return scalars;
}
