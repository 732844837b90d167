import { membersOf } from '@tutti/certificates';
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
  const signers = membersOf(bits);
  const isFitting = bits.length === Math.ceil(publicKeys.length / 8) && (signers.at(-1) ?? 0) < publicKeys.length;
  return isFitting && signers.length > 0 ? signers.map((b) => publicKeys[b]!) : undefined;
}

/**
 * Returns whether the claimed signers signed the message. The check is sound only if the caller has verified the keys'
 * proofs of possession.
 */
export function isValid(bls: Bls, { message, signature, bits, publicKeys }: MultiSignature): boolean {
  const signers = signersOf(bits, publicKeys);
  return signers !== undefined && bls.fastAggregateVerify(signers, message, signature);
}

/** Returns a message as text. The text keeps a byte order mark, because the mark is part of the signed message. */
export function messageText(message: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(message);
}
