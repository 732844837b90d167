import type { Bls } from '@tutti/wasm-bls';

/** A multi-signature as it leaves a cluster, with the keys to check it against. */
export interface MultiSignature {
  readonly message: Uint8Array;
  /** 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** Bit b & 7 of byte b >> 3 says that `publicKeys[b]` signed. */
  readonly bits: Uint8Array;
  readonly publicKeys: readonly Uint8Array[];
}

/** The keys that a bitset claims; undefined unless it has exactly one bit per key and claims somebody. */
export function signersOf(bits: Uint8Array, publicKeys: readonly Uint8Array[]): Uint8Array[] | undefined {
  if (bits.length !== Math.ceil(publicKeys.length / 8)) return undefined;
  for (let b = publicKeys.length; b < bits.length * 8; b++) if (isSet(bits, b)) return undefined;
  const signers = publicKeys.filter((_, b) => isSet(bits, b));
  return signers.length === 0 ? undefined : signers;
}

/**
 * Whether the claimed signers signed the message. Sound for keys whose proofs of possession were checked, as these were
 * when the cluster loaded its registry.
 */
export function isValid(bls: Bls, { message, signature, bits, publicKeys }: MultiSignature): boolean {
  const signers = signersOf(bits, publicKeys);
  return signers !== undefined && bls.fastAggregateVerify(signers, message, signature);
}

function isSet(bits: Uint8Array, b: number): boolean {
  return ((bits[b >> 3]! >> (b & 7)) & 1) === 1;
}
