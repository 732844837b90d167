import { compressed, type G1Group, joinBytes, slicePoints } from '@tutti/wasm-bls/kernel';
import { halvingOf, pointOf, weightsOf } from './challenges.ts';
import { countsBytes, joinProof } from './layout.ts';
import { Fr, innerProduct, powers, scalarBytes } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { openTranscript, type Statement } from './statement.ts';

/** A prover's values for each position. `prove` computes the values of an honest prover. */
export interface Witness {
  /** Multiplicities; their number is a power of two. */
  readonly multiplicities: readonly bigint[];
  /** Keys, 96 bytes each, one per multiplicity. */
  readonly keys: Uint8Array;
  /** Number of positions with each multiplicity from 1 to 15. */
  readonly counts: readonly number[];
  /** Returns 1/(x - v) for the multiplicity v of each position. */
  readonly inversesAt: (x: bigint) => readonly bigint[];
}

/** Computes the README's argument for any values, true or false. False values give a proof that no verifier accepts. */
export function argue(setting: ProofSetting, statement: Statement, witness: Witness): Uint8Array {
  const { group, generators } = setting;
  const { multiplicities, keys } = witness;
  const count = multiplicities.length;
  const transcript = openTranscript(setting, statement);

  const commitment = compressed(group.combine(slicePoints(generators.points, 0, count), multiplicities));
  const counts = countsBytes(witness.counts);
  const x = pointOf(transcript, commitment, counts);
  const inverses = witness.inversesAt(x);
  const inverseCommitment = compressed(group.combine(slicePoints(generators.inverses, 0, count), inverses));
  const weights = weightsOf(transcript, inverseCommitment);

  const up = powers(weights.places, count);
  const down = powers(Fr.inv(weights.places), count);
  let vectors: Vectors = {
    left: multiplicities.map((value, j) => Fr.add(Fr.sub(x, value), Fr.mul(weights.sum, down[j]!))),
    right: inverses.map((inverse, j) => Fr.mul(weights.inverses, Fr.mul(up[j]!, inverse))),
    leftBase: group.fold(joinBytes([slicePoints(generators.points, 0, count), keys]), weights.keys),
    rightBase: slicePoints(generators.inverses, 0, count),
  };
  const rounds: (readonly [Uint8Array, Uint8Array])[] = [];
  while (vectors.left.length > 1) {
    const round = roundPoints(setting, vectors, down, weights.product);
    rounds.push(round);
    vectors = halved(group, vectors, down, halvingOf(transcript, ...round));
  }
  return joinProof({
    commitment,
    counts,
    inverses: inverseCommitment,
    rounds,
    left: scalarBytes(vectors.left[0]!),
    right: scalarBytes(vectors.right[0]!),
  });
}

/**
 * Vectors of the inner product and their bases. Each round halves all of them. The base of position j of `right` is
 * `down[j]` times `rightBase[j]`. The factor `down[j]` is part of the scalars, because multiplying each base by this
 * factor would be expensive.
 */
interface Vectors {
  readonly left: readonly bigint[];
  readonly right: readonly bigint[];
  readonly leftBase: Uint8Array;
  readonly rightBase: Uint8Array;
}

/** Returns the two points of a round, each of which combines opposite halves of the two vectors. */
function roundPoints(
  { group, generators }: ProofSetting,
  { left, right, leftBase, rightBase }: Vectors,
  down: readonly bigint[],
  productWeight: bigint,
): readonly [low: Uint8Array, high: Uint8Array] {
  const half = left.length / 2;
  const crossed = (l: number, r: number): Uint8Array => {
    const lefts = left.slice(l, l + half);
    const rights = right.slice(r, r + half);
    const bases = [slicePoints(leftBase, r, r + half), slicePoints(rightBase, l, l + half), generators.product];
    return compressed(
      group.combine(joinBytes(bases), [
        ...lefts,
        ...rights.map((scalar, j) => Fr.mul(scalar, down[l + j]!)),
        Fr.mul(productWeight, innerProduct(lefts, rights)),
      ]),
    );
  };
  return [crossed(0, half), crossed(half, 0)];
}

/** Adds the upper halves to the lower halves, weighted by the round's challenge or its inverse. */
function halved(
  group: G1Group,
  { left, right, leftBase, rightBase }: Vectors,
  down: readonly bigint[],
  challenge: bigint,
): Vectors {
  const half = left.length / 2;
  const inverse = Fr.inv(challenge);
  return {
    left: Array.from({ length: half }, (_, j) => Fr.add(left[j]!, Fr.mul(inverse, left[half + j]!))),
    right: Array.from({ length: half }, (_, j) => Fr.add(right[j]!, Fr.mul(challenge, right[half + j]!))),
    leftBase: group.fold(leftBase, challenge),
    rightBase: group.fold(rightBase, Fr.mul(inverse, down[half]!)),
  };
}
