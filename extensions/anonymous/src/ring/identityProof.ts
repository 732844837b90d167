import { misuse } from '@tutti/wasm-bls/kernel';
import { identityPublicKey } from './identityKey.ts';
import { linkable } from './linkable.ts';
import { decodeRing } from './ring.ts';

const possessionEvent = new TextEncoder().encode('tutti ring identity possession v1');

/**
 * Returns a proof that the holder of an identity key knows its secret, for a named holder: a linkable ring signature in
 * a ring that only contains this key.
 *
 * @param secretKey 32 bytes, little-endian, in 1..l-1.
 * @param holder name of the holder, such as its BLS key; a proof for one holder is not valid for a different holder.
 * @param entropy at least 32 fresh bytes, see {@link RingScheme.sign}.
 * @returns 96 bytes.
 * @throws RangeError for an invalid secret key, or entropy that is too short; TypeError for an argument that is not
 * bytes.
 */
export function proveIdentity(secretKey: Uint8Array, holder: Uint8Array, entropy: Uint8Array): Uint8Array {
  const alone = decodeRing([identityPublicKey(secretKey)]);
  if (!alone.ok) throw misuse(RangeError, 'secretKey', 'a scalar in 1..l-1', alone.code);
  return linkable.sign(alone.ring, secretKey, possessionEvent, holder, entropy);
}

/**
 * Returns whether a proof shows that the holder knows the secret of an identity key.
 *
 * @param publicKey 32 bytes. Key and proof may be arbitrary data from a peer.
 * @param holder holder that the proof has to name.
 * @param proof must be 96 bytes; a proof with another length is invalid.
 */
export function verifyIdentity(publicKey: Uint8Array, holder: Uint8Array, proof: Uint8Array): boolean {
  const alone = decodeRing([publicKey]);
  return alone.ok && linkable.verify(alone.ring, possessionEvent, holder, proof).ok;
}
