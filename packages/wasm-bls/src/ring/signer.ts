import { misuse, requireBytes, shown } from '../arguments.ts';
import { hashToScalar, uint32 } from './group.ts';
import { identityPublicKey, readSecret } from './identity-key.ts';
import type { Ring } from './ring.ts';

/** Least fresh entropy of a signature, bytes. */
export const MIN_ENTROPY_BYTES = 32;

const NONCE_DOMAIN = 'TUTTI_RING_NONCE_';

export interface RingSigner {
  readonly secret: bigint;
  /** The signer's place in the ring. */
  readonly index: number;
  /** Secret scalars, one for each number. */
  draw(number: number): bigint;
}

/**
 * The member that a secret key is of.
 *
 * @param name of the message, 64 bytes.
 * @throws RangeError when it is of none, or the entropy is too short.
 */
export function signerOf(
  ring: Ring,
  secretKey: Uint8Array,
  context: Uint8Array,
  name: Uint8Array,
  entropy: Uint8Array,
): RingSigner {
  requireBytes('entropy', entropy);
  if (entropy.length < MIN_ENTROPY_BYTES)
    throw misuse(RangeError, 'entropy', `${MIN_ENTROPY_BYTES} bytes or more`, shown(entropy));
  const secret = readSecret(secretKey);
  const index = ring.indexOf(identityPublicKey(secretKey));
  if (index === -1) throw misuse(RangeError, 'secretKey', "a member's of the ring", 'that of none');
  return {
    secret,
    index,
    draw: (number) => hashToScalar(NONCE_DOMAIN, secretKey, context, name, uint32(number), entropy),
  };
}

export const areSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
