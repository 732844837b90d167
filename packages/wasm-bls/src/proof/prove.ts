import { PUBLIC_KEY_BYTES, SECRET_KEY_BYTES } from '../suite.ts';
import { compressed, type G1Group, infinities, joinBytes, slicePoints } from './group.ts';
import { Fr, scalarBytes } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { multiplicityScalars, openTranscript, type Statement, statementOf } from './statement.ts';

/** Points that a round of the proof sends: two for the keys, two for the generators. */
export const POINTS_A_ROUND = 4;

/** Length of a proof about so many keys, in bytes: 2,912 for a committee of 2^15 (Horn: "about 3 kilobytes"). */
export function proofBytes(keyCount: number): number {
  return POINTS_A_ROUND * Math.ceil(Math.log2(keyCount)) * PUBLIC_KEY_BYTES + SECRET_KEY_BYTES;
}

/**
 * Proves that an aggregated key is a combination of the setting's keys that the prover knows: an inner-product argument over two bases
 * (Horn: "Aggregation using SNARKs"). Each round halves multiplicities, keys and generators, and sends what the halving adds to the
 * aggregated key and to the commitment; what remains is one scalar. Nothing is hidden: it is short, not zero-knowledge.
 *
 * @param multiplicities one byte a key.
 * @param statement what is claimed of them; the true one if undefined. A false one makes a proof that nobody accepts.
 * @returns proofBytes(keys) bytes: for each round the four points, then the scalar.
 */
export function prove(
  setting: ProofSetting,
  multiplicities: Uint8Array,
  statement: Statement = statementOf(setting, multiplicities),
): Uint8Array {
  const { group, rounds, keyCount } = setting;
  const padding = infinities(2 ** rounds - keyCount);
  const transcript = openTranscript(setting, statement);
  let scalars = multiplicityScalars(setting, multiplicities);
  while (scalars.length < 2 ** rounds) scalars.push(0n);
  let keys = joinBytes([setting.keys, padding]);
  let generators = joinBytes([setting.generators, padding]);
  const sent: Uint8Array[] = [];
  for (let round = 0; round < rounds; round++) {
    const half = scalars.length / 2;
    const [low, high] = [scalars.slice(0, half), scalars.slice(half)];
    const points = joinBytes([keys, generators].flatMap((bases) => crossed(group, bases, low, high)).map(compressed));
    transcript.append('round', points);
    sent.push(points);
    const challenge = transcript.challenge('halve');
    const inverse = Fr.inv(challenge);
    scalars = low.map((scalar, i) => Fr.add(scalar, Fr.mul(inverse, high[i]!)));
    keys = group.fold(keys, challenge);
    generators = group.fold(generators, challenge);
  }
  return joinBytes([...sent, scalarBytes(scalars[0]!)]);
}

/** The low scalars over the high points, and the high scalars over the low points. */
function crossed(group: G1Group, points: Uint8Array, low: readonly bigint[], high: readonly bigint[]): Uint8Array[] {
  const half = low.length;
  return [group.combine(slicePoints(points, half), low), group.combine(slicePoints(points, 0, half), high)];
}
