/** Bytes of SSZ containers (consensus-specs, phase0 and electra beacon-chain.md and validator.md), and what Snappy leaves of them. */

/** AttestationData: slot, index, a root, and two checkpoints of an epoch and a root. */
export const attestationDataBytes = 8 + 8 + 32 + 2 * (8 + 32);
export const blsSignatureBytes = 96;
/** Where a container says at which byte a part of variable length begins. */
const offsetBytes = 4;

/**
 * Of an AttestationData, bytes that Snappy folds: of slot, index and epochs all but some low bytes are zeros. 29 zeros in three places take 3 tags of
 * 2 bytes, and the literals between them a byte each.
 */
const foldedBytes = 29 - 3 * 2 - 3;

/** A SingleAttestation (electra): committee, attester, data, signature. */
export const singleAttestationBytes = 2 * 8 + attestationDataBytes + blsSignatureBytes - foldedBytes;

/** An Attestation before Electra, its bitfield of one bit: offset, data, signature, bits and the bit that ends them. */
export function attestationBytes(members: number, ones: number): number {
  return offsetBytes + attestationDataBytes + blsSignatureBytes - foldedBytes + snappyBitfieldBytes(members + 1, ones + 1);
}

/**
 * A SignedAggregateAndProof: the sender's signature, its index, its selection proof, and an attestation.
 *
 * @param committeeBits of Electra's attestations, bytes; 0 before.
 */
export function aggregateAndProofBytes(members: number, ones: number, committeeBits: number): number {
  return (
    2 * offsetBytes + blsSignatureBytes + 8 + blsSignatureBytes + committeeBits + attestationBytes(members, ones)
  );
}

/**
 * What Snappy makes of a bitfield whose ones lie at random, about: a run of four full bytes or more becomes copies of up to 64 of them, 3 bytes each;
 * the rest stays as it is, with one byte before each stretch of it. Never more than the bitfield and its own length.
 */
export function snappyBitfieldBytes(bits: number, ones: number): number {
  const bytes = Math.ceil(bits / 8);
  const full = (ones / bits) ** 8;
  if (full >= 1) return Math.min(bytes + 2, 4 + 3 * Math.ceil(bytes / 64));
  // A run of full bytes begins at a byte with the chance of one that is not full before a full one.
  const runs = bytes * (1 - full) * full;
  let copied = 0;
  let tags = 0;
  for (let length = 4, chance = full ** 3 * (1 - full); length < bytes && chance > 1e-9; length++, chance *= full) {
    copied += length * chance;
    tags += chance * (1 + 3 * Math.ceil((length - 1) / 64));
  }
  return Math.round(Math.min(bytes + 2, bytes - runs * copied + runs * tags + 2));
}
