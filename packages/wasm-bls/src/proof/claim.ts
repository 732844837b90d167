import { requireBytes } from '../arguments.ts';
import { PUBLIC_KEY_BYTES, SECRET_KEY_BYTES } from '../suite.ts';
import { joinBytes } from './group.ts';
import { POINTS_A_ROUND, proofBytes } from './prove.ts';
import { Fr, readScalar } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { openTranscript, type Statement } from './statement.ts';

/** A statement and its proof, as they come from a peer. */
export interface ProvedStatement {
  readonly statement: Statement;
  readonly proof: Uint8Array;
}

/**
 * A proof that was read: what is left is whether a sum of points is infinity, namely these points with their scalars, and all keys and
 * generators with those that `first`, `challenges` and `weight` give.
 */
export interface Claim {
  /** The statement's two points, and four a round. */
  readonly points: Uint8Array;
  readonly scalars: readonly bigint[];
  /** The scalar of the first key. */
  readonly first: bigint;
  /** One a round, in their order. */
  readonly challenges: readonly bigint[];
  /** What the commitment's half of the sum is multiplied by, so that one sum stands for both equations. */
  readonly weight: bigint;
  /** 32 bytes that depend on every byte of statement and proof. */
  readonly digest: Uint8Array;
}

/** Reads a stranger's proof; undefined if it is of another length, or if a point or the scalar is none. */
export function readClaim(setting: ProofSetting, { statement, proof }: ProvedStatement): Claim | undefined {
  requireBytes('proof', proof);
  if (proof.length !== proofBytes(setting.keyCount)) return undefined;
  const first = readScalar(proof.subarray(-SECRET_KEY_BYTES));
  if (first === undefined) return undefined;

  const transcript = openTranscript(setting, statement);
  const roundBytes = POINTS_A_ROUND * PUBLIC_KEY_BYTES;
  const challenges = Array.from({ length: setting.rounds }, (_, round) => {
    transcript.append('round', proof.subarray(round * roundBytes, (round + 1) * roundBytes));
    return transcript.challenge('halve');
  });
  transcript.append('scalar', proof.subarray(-SECRET_KEY_BYTES));
  const weight = transcript.challenge('weigh');

  const encoded = [statement.key, statement.commitment];
  for (let at = 0; at < proof.length - SECRET_KEY_BYTES; at += PUBLIC_KEY_BYTES)
    encoded.push(proof.subarray(at, at + PUBLIC_KEY_BYTES));
  const points: Uint8Array[] = [];
  for (const bytes of encoded) {
    const point = setting.group.decode(bytes);
    if (point === undefined) return undefined;
    points.push(point);
  }
  return {
    points: joinBytes(points),
    scalars: pointScalars(challenges, weight),
    first,
    challenges,
    weight,
    digest: transcript.digest('claim'),
  };
}

/** The equations' other side: the statement less what each round added, first for the keys, then for the generators. */
function pointScalars(challenges: readonly bigint[], weight: bigint): bigint[] {
  const inverses = Fr.invertBatch([...challenges]);
  const scalars = [Fr.neg(1n), Fr.neg(weight)];
  for (const [round, challenge] of challenges.entries())
    for (const base of [1n, weight])
      for (const factor of [challenge, inverses[round]!]) scalars.push(Fr.neg(Fr.mul(base, factor)));
  return scalars;
}
