import { joinBytes, requireBytes, requireObject } from '@tutti/wasm-bls/kernel';
import { halvingOf, pointOf, type Weights, weightsOf } from './challenges.ts';
import { readCounts, splitProof } from './layout.ts';
import { tableInverses } from './multiplicities.ts';
import { Fr, innerProduct, readScalar } from './scalar.ts';
import { type ProofSetting, requireSetting } from './setting.ts';
import { openTranscript, type Statement, supportOf } from './statement.ts';

/** A statement and its proof, as they come from a peer. */
export interface ProvedStatement {
  readonly statement: Statement;
  readonly proof: Uint8Array;
}

/**
 * A proof that was read: what is left is whether a sum of points is infinity, namely of these points with their
 * scalars, and of keys and generators with those that the rest gives.
 */
export interface ReadProof {
  /** The validators who are said to have signed, ascending. */
  readonly support: Uint32Array;
  /** Commitment, aggregated key, the inverses' commitment, and two a round. */
  readonly points: Uint8Array;
  readonly scalars: readonly bigint[];
  /** At which the sums of inverses are compared. */
  readonly point: bigint;
  readonly weights: Weights;
  /** What the inverses are to come to over all places. */
  readonly sumOfInverses: bigint;
  /** One a round, in their order. */
  readonly challenges: readonly bigint[];
  readonly left: bigint;
  readonly right: bigint;
  /** 32 bytes that depend on every byte of statement and proof. */
  readonly digest: Uint8Array;
}

/**
 * Reads an untrusted peer's proof; undefined if bits or proof are of another length, nobody is named, or a point or a
 * scalar is invalid.
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
