import { misuse, requireBytes, shown, uint32Bytes } from '@tutti/wasm-bls/kernel';
import { hashToScalar } from './group.ts';
import { identityPublicKey, readSecret } from './identityKey.ts';
import { type Occasion, occasionOf } from './parts.ts';
import { type Ring, requireRing } from './ring.ts';

/** Minimum length of the fresh entropy for a signature, bytes. */
const minEntropyBytes = 32;

const nonceDomain = 'TUTTI_RING_NONCE_';

interface RingSigner extends Occasion {
  readonly secret: bigint;
  /** Index of the signer in the ring. */
  readonly index: number;
  /** Returns a secret scalar for each number, derived from the key, the signed data and the entropy. */
  draw(number: number): bigint;
}

/**
 * Returns the ring member that has a given secret key, prepared to sign a message.
 *
 * @param scheme number of the scheme, 1 or 2.
 * @throws RangeError if no member has the secret key, or the entropy is too short; TypeError for an argument of another
 * type.
 */
export function signerOf(
  ring: Ring,
  scheme: number,
  event: Uint8Array,
  message: Uint8Array,
  secretKey: Uint8Array,
  entropy: Uint8Array,
): RingSigner {
  requireRing(ring);
  requireBytes('entropy', entropy);
  if (entropy.length < minEntropyBytes)
    throw misuse(RangeError, 'entropy', `${minEntropyBytes} bytes or more`, shown(entropy));
  const secret = readSecret(secretKey);
  const index = ring.indexOf(identityPublicKey(secretKey));
  if (index === -1) throw misuse(RangeError, 'secretKey', "a member's of the ring", 'that of none');
  const { context, messageHash } = occasionOf(ring, scheme, event, message);
  return {
    ...{ context, messageHash, secret, index },
    draw: (number) => hashToScalar(nonceDomain, secretKey, context, messageHash, uint32Bytes(number), entropy),
  };
}
