import { Fr } from './scalar.ts';

/** Maximum multiplicity, the largest value of four bits (Horn: "Aggregation with four-bit integer vectors"). */
export const maxMultiplicity = 15;

/** Returns the number of positions with each multiplicity from 1 to 15. All multiplicities must be in this range. */
export function countsOf(multiplicities: Uint8Array): number[] {
  const counts = new Array<number>(maxMultiplicity).fill(0);
  for (const multiplicity of multiplicities) counts[multiplicity - 1]!++;
  return counts;
}

/** Returns 1/(x - t) for t from 1 to 15: the committed inverse for a position with multiplicity t. */
export function tableInverses(x: bigint): bigint[] {
  return Fr.invertBatch(Array.from({ length: maxMultiplicity }, (_, i) => Fr.sub(x, BigInt(i + 1))));
}
