import { misuse } from '../arguments.ts';
import { identityPublicKey } from './identityKey.ts';
import { linkable } from './linkable.ts';
import { decodeRing } from './ring.ts';

const possessionEvent = new TextEncoder().encode('tutti ring identity possession v1');

/**
 * Proof that the holder of an identity key knows its secret, for whom it names: a linkable ring signature in the ring
 * of that key alone.
 *
 * @param holder such as the BLS key beside it; a proof for one is none for another.
 * @returns 96 bytes.
 */
export function proveIdentity(secretKey: Uint8Array, holder: Uint8Array, entropy: Uint8Array): Uint8Array {
  const alone = decodeRing([identityPublicKey(secretKey)]);
  if (!alone.ok) throw misuse(RangeError, 'secretKey', 'a scalar in 1..l-1', alone.code);
  return linkable.sign(alone.ring, secretKey, possessionEvent, holder, entropy);
}

/** Both may be anything from a peer. */
export function verifyIdentity(publicKey: Uint8Array, holder: Uint8Array, proof: Uint8Array): boolean {
  const alone = decodeRing([publicKey]);
  return alone.ok && linkable.verify(alone.ring, possessionEvent, holder, proof).ok;
}
