import type { Bls } from '@tutti/wasm-bls';

/** A BLS multi-signature with the keys for verifying it. */
export interface MultiSignature {
  readonly message: Uint8Array;
  /** Compressed signature: 96 bytes of G2, or 48 bytes of G1 if the keys are in G2 (`min-sig`). */
  readonly signature: Uint8Array;
  /** Signers: bit b & 7 of byte b >> 3 is set if `publicKeys[b]` signed. */
  readonly bits: Uint8Array;
  /** Compressed keys in the order of the registry: 48 bytes of G1, or 96 bytes of G2 (`min-sig`). */
  readonly publicKeys: readonly Uint8Array[];
}

/**
 * Returns the keys that a bitset claims; undefined unless the bitset has exactly one bit per key and claims at least
 * one key.
 */
export function signersOf(bits: Uint8Array, publicKeys: readonly Uint8Array[]): Uint8Array[] | undefined {
  if (bits.length !== Math.ceil(publicKeys.length / 8)) return undefined;
  for (let b = publicKeys.length; b < bits.length * 8; b++) if (isSet(bits, b)) return undefined;
  const signers = publicKeys.filter((_, b) => isSet(bits, b));
  return signers.length === 0 ? undefined : signers;
}

/**
 * Returns whether the claimed signers signed the message. The check is sound only if the caller has verified the keys'
 * proofs of possession.
 */
export function isValid(bls: Bls, { message, signature, bits, publicKeys }: MultiSignature): boolean {
  const signers = signersOf(bits, publicKeys);
  return signers !== undefined && bls.fastAggregateVerify(signers, message, signature);
}

function isSet(bits: Uint8Array, b: number): boolean {
  return ((bits[b >> 3]! >> (b & 7)) & 1) === 1;
}
