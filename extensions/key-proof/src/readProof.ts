import { joinBytes, requireBytes, requireObject } from '@tutti/wasm-bls/kernel';
import { halvingOf, pointOf, type Weights, weightsOf } from './challenges.ts';
import { readCounts, splitProof, tableInverses } from './layout.ts';
import { Fr, innerProduct, readScalar } from './scalar.ts';
import { type ProofSetting, requireSetting } from './setting.ts';
import { openTranscript, type Statement, supportOf } from './statement.ts';

/** A statement and its proof, received from a peer. */
export interface ProvedStatement {
  readonly statement: Statement;
  readonly proof: Uint8Array;
}

/**
 * A decoded proof. The proof is valid if a sum is the point at infinity: the decoded points with their scalars, plus
 * keys and generators with scalars that the other fields determine.
 */
export interface ReadProof {
  /** Indices of the claimed signers, ascending. */
  readonly support: Uint32Array;
  /** Commitment, aggregated key, the inverses' commitment, and two points per round. */
  readonly points: Uint8Array;
  readonly scalars: readonly bigint[];
  /** Point at which the sums of inverses are compared. */
  readonly point: bigint;
  readonly weights: Weights;
  /** Required sum of the inverses over all positions. */
  readonly sumOfInverses: bigint;
  /** One challenge per round, in order. */
  readonly challenges: readonly bigint[];
  readonly left: bigint;
  readonly right: bigint;
  /** Digest of all bytes of the statement and the proof, 32 bytes. */
  readonly digest: Uint8Array;
}

/**
 * Reads an untrusted proof. Returns undefined if the bitfield or the proof has the wrong length, if no bit or a bit
 * beyond the keys is set, or if a point or a scalar is invalid.
 *
 * @throws TypeError if `setting` is not a setting, or `proved` does not have bytes in all required fields.
 */
export function readProof(setting: ProofSetting, proved: ProvedStatement): ReadProof | undefined {
  requireSetting(setting);
  requireObject('proved', proved);
  requireObject('statement', proved.statement);
  const { statement, proof } = proved;
  requireBytes('proof', proof);
  requireBytes('key', statement.key);
  requireBytes('bits', statement.bits);
  const support = supportOf(setting, statement.bits);
  if (support === undefined) return undefined;
  const parts = splitProof(proof, support.length);
  if (parts === undefined) return undefined;
  const [left, right] = [readScalar(parts.left), readScalar(parts.right)];
  if (left === undefined || right === undefined) return undefined;

  const transcript = openTranscript(setting, statement);
  const point = pointOf(transcript, parts.commitment, parts.counts);
  const weights = weightsOf(transcript, parts.inverses);
  const challenges = parts.rounds.map((round) => halvingOf(transcript, ...round));
  transcript.append('left', parts.left);
  transcript.append('right', parts.right);

  const points: Uint8Array[] = [];
  for (const bytes of [parts.commitment, statement.key, parts.inverses, ...parts.rounds.flat()]) {
    const decoded = setting.group.decode(bytes);
    if (decoded === undefined) return undefined;
    points.push(decoded);
  }
  const inverses = Fr.invertBatch([...challenges]);
  return {
    support,
    points: joinBytes(points),
    scalars: [
      Fr.neg(1n),
      Fr.neg(weights.keys),
      weights.inverses,
      ...challenges.flatMap((challenge, round) => [challenge, inverses[round]!]),
    ],
    point,
    weights,
    sumOfInverses: innerProduct(readCounts(parts.counts), tableInverses(point)),
    challenges,
    left,
    right,
    digest: transcript.digest('claim'),
  };
}
