import { bls12_381 } from '@noble/curves/bls12-381.js';

const suite = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

/** Multi-signature with the data needed to verify it. */
export interface KeyedSignature {
  readonly message: Uint8Array;
  /** Signature, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** Public keys of the claimed signers, 48 bytes each, compressed G1. */
  readonly publicKeys: readonly Uint8Array[];
}

/**
 * Performs FastAggregateVerify with noble-curves alone, so that the verdict does not depend on the code that created
 * the signature. Bytes that do not encode a point are an invalid signature, not an error.
 */
export function isValidSignature({ message, signature, publicKeys }: KeyedSignature): boolean {
  if (publicKeys.length === 0) return false;
  const { longSignatures, G1, G2 } = bls12_381;
  try {
    // `fromBytes` refuses points outside the prime-order group, but accepts infinity.
    const keys = publicKeys.map((bytes) => G1.Point.fromBytes(bytes));
    if (keys.some((key) => key.is0())) return false;
    const point = G2.Point.fromBytes(signature);
    return longSignatures.verify(point, longSignatures.hash(message, suite), longSignatures.aggregatePublicKeys(keys));
  } catch {
    return false;
  }
}
