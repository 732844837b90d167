import { joinBytes, publicKeyBytes, secretKeyBytes, uint32Bytes } from '@tutti/wasm-bls/kernel';
import { maxMultiplicity } from './multiplicities.ts';

/** The parts of a proof, encoded: points of 48 bytes, scalars of 32. */
export interface ProofParts {
  /** The commitment to the multiplicities. */
  readonly commitment: Uint8Array;
  /** How often each multiplicity from 1 to 15 comes, four bytes each. */
  readonly counts: Uint8Array;
  /** The commitment to the inverses. */
  readonly inverses: Uint8Array;
  /** Each round's two points. */
  readonly rounds: readonly (readonly [low: Uint8Array, high: Uint8Array])[];
  /** What is left of the two vectors. */
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

const allCountsBytes = 4 * maxMultiplicity;

/** How often this many places, filled up to a power of two, are halved. */
export function proofRounds(places: number): number {
  return Math.ceil(Math.log2(places));
}

/**
 * Length of a proof about this many validators who signed, in bytes: 1,660 for 2^15 (Horn: "about 3 kilobytes"). The
 * aggregated key, 48 bytes more, goes with it, and the bits that a collection has anyway.
 */
export function proofBytes(places: number): number {
  return (2 + 2 * proofRounds(places)) * publicKeyBytes + allCountsBytes + 2 * secretKeyBytes;
}

export function joinProof({ commitment, counts, inverses, rounds, left, right }: ProofParts): Uint8Array {
  return joinBytes([commitment, counts, inverses, ...rounds.flat(), left, right]);
}

/** The parts of an untrusted peer's proof about this many places; undefined if it has another length. */
export function splitProof(proof: Uint8Array, places: number): ProofParts | undefined {
  if (proof.length !== proofBytes(places)) return undefined;
  let at = 0;
  const take = (length: number): Uint8Array => {
    at += length;
    return proof.subarray(at - length, at);
  };
  return {
    commitment: take(publicKeyBytes),
    counts: take(allCountsBytes),
    inverses: take(publicKeyBytes),
    rounds: Array.from({ length: proofRounds(places) }, () => [take(publicKeyBytes), take(publicKeyBytes)] as const),
    left: take(secretKeyBytes),
    right: take(secretKeyBytes),
  };
}

export function countsBytes(counts: readonly number[]): Uint8Array {
  return joinBytes(counts.map(uint32Bytes));
}

export function readCounts(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: maxMultiplicity }, (_, i) => BigInt(view.getUint32(4 * i)));
}
