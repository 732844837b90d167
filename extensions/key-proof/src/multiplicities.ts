import { Fr } from './scalar.ts';

/** Maximum value of four bits (Horn: "Aggregation with four-bit integer vectors"). */
export const maxMultiplicity = 15;

/** Returns the number of places with each multiplicity from 1 to 15. */
export function countsOf(multiplicities: Uint8Array): number[] {
  const counts = new Array<number>(maxMultiplicity).fill(0);
  for (const multiplicity of multiplicities) counts[multiplicity - 1]!++;
  return counts;
}

/** Returns 1/(x - t) for t from 1 to 15: the commitment's value for a place with that multiplicity. */
export function tableInverses(x: bigint): bigint[] {
  return Fr.invertBatch(Array.from({ length: maxMultiplicity }, (_, i) => Fr.sub(x, BigInt(i + 1))));
}
