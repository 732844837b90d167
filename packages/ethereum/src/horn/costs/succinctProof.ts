import type { HornParameters } from '@tutti/core/horn';
import { mergeableAggregates } from './multiplicities.ts';

/** Bytes in which the proof says how often a multiplicity comes. */
const countBytes = 4;

/**
 * What a collection carries in place of `keys` multiplicities (Horn: "Aggregation using SNARKs"), in bytes: the
 * aggregated key, and the proof that it is the sum of the keys that the bitfield names, each with a multiplicity of
 * this many bits. The proof of the extension key-proof: two commitments, how often each multiplicity comes, two points a
 * halving, and two scalars.
 */
export function succinctProofBytes(
  keys: number,
  { publicKeyBytes, scalarBytes, multiplicityBits }: HornParameters,
): number {
  const points = 3 + 2 * Math.ceil(Math.log2(keys));
  return points * publicKeyBytes + countBytes * mergeableAggregates(multiplicityBits) + 2 * scalarBytes;
}
