/**
 * Lengths of SSZ containers (consensus-specs, phase0 and electra beacon-chain.md and validator.md), uncompressed and
 * after Snappy.
 */

/** Length of AttestationData, bytes: slot, index, a root, and two checkpoints of an epoch and a root. */
export const attestationDataBytes = 8 + 8 + 32 + 2 * (8 + 32);
export const blsSignatureBytes = 96;
/** Length of the offset of a variable-length part in a container, bytes. */
const offsetBytes = 4;

/**
 * Number of bytes of an AttestationData that Snappy removes: zeros of slot, index and epochs. Measured: a
 * SingleAttestation of 240 bytes shrinks to 229.
 */
const foldedBytes = 11;

/** Length of a SingleAttestation (electra), bytes: committee, attester, data, signature. */
export const singleAttestationBytes = 2 * 8 + attestationDataBytes + blsSignatureBytes - foldedBytes;

/**
 * Returns the length of an Attestation before Electra, bytes: offset, data, signature, bits and the bit that terminates
 * them. `ones` bits of its bitfield are set.
 */
export function attestationBytes(members: number, ones: number): number {
  return (
    offsetBytes + attestationDataBytes + blsSignatureBytes - foldedBytes + snappyBitfieldBytes(members + 1, ones + 1)
  );
}

/**
 * Returns the length of a SignedAggregateAndProof, bytes: the sender's signature, its index, its selection proof, and
 * an attestation.
 *
 * @param committeeBits length of the committee bits of Electra's attestations, bytes; 0 before Electra.
 */
export function aggregateAndProofBytes(members: number, ones: number, committeeBits: number): number {
  return 2 * offsetBytes + blsSignatureBytes + 8 + blsSignatureBytes + committeeBits + attestationBytes(members, ones);
}

/**
 * Lengths of random bitfields after Snappy, bytes, by the share of ones: measured means at 512 and at 32,768 bits.
 * `npx tutti horn tables --section bandwidth` prints similar numbers.
 */
const snappyBytes = {
  shares: [0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1],
  bits: [512, 32_768],
  bytes: [
    [67, 66, 58, 42, 32, 24, 14, 6],
    [4101, 3562, 2545, 1519, 995, 626, 288, 196],
  ],
} as const;

/**
 * Returns the length of a bitfield with random ones after Snappy, bytes. It interpolates between the measured lengths,
 * as parts of the bitfield: linearly in the share of ones, and linearly in the logarithm of the number of bits.
 */
export function snappyBitfieldBytes(bits: number, ones: number): number {
  const share = Math.min(1, Math.max(0.5, ones / bits));
  const { shares, bits: sizes, bytes } = snappyBytes;
  const right = Math.max(
    1,
    shares.findIndex((one) => one >= share),
  );
  const along = (share - shares[right - 1]!) / (shares[right]! - shares[right - 1]!);
  const [small, large] = sizes.map((size, index) => {
    const of = bytes[index]!;
    return (of[right - 1]! + along * (of[right]! - of[right - 1]!)) / (size / 8);
  }) as [number, number];
  const between = Math.min(1, Math.max(0, Math.log(bits / sizes[0]) / Math.log(sizes[1] / sizes[0])));
  return Math.round((small + between * (large - small)) * Math.ceil(bits / 8));
}
