import { joinBytes, publicKeyBytes, secretKeyBytes, uint32Bytes } from '@tutti/wasm-bls/kernel';
import { Fr } from './scalar.ts';

/** Maximum multiplicity, the largest value of four bits (Horn: "Aggregation with four-bit integer vectors"). */
export const maxMultiplicity = 15;

/** Encoded parts of a proof: points of 48 bytes, and scalars of 32 bytes. */
interface ProofParts {
  /** Commitment to the multiplicities. */
  readonly commitment: Uint8Array;
  /** Number of positions with each multiplicity from 1 to 15, four bytes each. */
  readonly counts: Uint8Array;
  /** Commitment to the inverses. */
  readonly inverses: Uint8Array;
  /** Two points per round. */
  readonly rounds: readonly (readonly [low: Uint8Array, high: Uint8Array])[];
  /** Remaining values of the two vectors after the last halving. */
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

const allCountsBytes = 4 * maxMultiplicity;

/**
 * Returns the number of halvings in a proof about this number of signers; the number of signers is padded to a power of
 * two.
 */
export function proofRounds(signers: number): number {
  return Math.ceil(Math.log2(signers));
}

/**
 * Returns the length, in bytes, of a proof about this number of signers: 1,660 for 2^15 signers (Horn: "about 3
 * kilobytes"). A message also contains the aggregated key, 48 bytes, and the bitfield of signers.
 */
export function proofBytes(signers: number): number {
  return (2 + 2 * proofRounds(signers)) * publicKeyBytes + allCountsBytes + 2 * secretKeyBytes;
}

/** Encodes a proof, as {@link splitProof} decodes it. */
export function joinProof({ commitment, counts, inverses, rounds, left, right }: ProofParts): Uint8Array {
  return joinBytes([commitment, counts, inverses, ...rounds.flat(), left, right]);
}

/** Splits an untrusted proof about this number of signers; undefined if the proof has another length. */
export function splitProof(proof: Uint8Array, signers: number): ProofParts | undefined {
  if (proof.length !== proofBytes(signers)) return undefined;
  let at = 0;
  const take = (length: number): Uint8Array => {
    at += length;
    return proof.subarray(at - length, at);
  };
  return {
    commitment: take(publicKeyBytes),
    counts: take(allCountsBytes),
    inverses: take(publicKeyBytes),
    rounds: Array.from({ length: proofRounds(signers) }, () => [take(publicKeyBytes), take(publicKeyBytes)] as const),
    left: take(secretKeyBytes),
    right: take(secretKeyBytes),
  };
}

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

/** Encodes the number of positions with each multiplicity, four bytes each, big-endian. */
export function countsBytes(counts: readonly number[]): Uint8Array {
  return joinBytes(counts.map(uint32Bytes));
}

/** Decodes the output of {@link countsBytes}. */
export function readCounts(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: maxMultiplicity }, (_, i) => BigInt(view.getUint32(4 * i)));
}
