import type { HornParameters } from '../parameters.ts';

/**
 * Length of the proof that a public key is the sum of `keys` given ones with given multiplicities (Horn: "Aggregation using SNARKs"), in
 * bytes: an inner-product argument over two bases sends four points a round, halves everything each round, and ends with one scalar.
 */
export function succinctProofBytes(keys: number, { publicKeyBytes, scalarBytes }: HornParameters): number {
  return 4 * Math.ceil(Math.log2(keys)) * publicKeyBytes + scalarBytes;
}
