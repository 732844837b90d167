import { Fr } from './scalar.ts';

/** What four bits count up to (Horn: "Aggregation with four-bit integer vectors"). */
export const maxMultiplicity = 15;

/** How often each multiplicity from 1 to 15 comes. */
export function countsOf(multiplicities: Uint8Array): number[] {
  const counts = new Array<number>(maxMultiplicity).fill(0);
  for (const multiplicity of multiplicities) counts[multiplicity - 1]!++;
  return counts;
}

/** 1/(x - t) for t from 1 to 15: what a place of that multiplicity commits to. */
export function tableInverses(x: bigint): bigint[] {
  return Fr.invertBatch(Array.from({ length: maxMultiplicity }, (_, i) => Fr.sub(x, BigInt(i + 1))));
}
