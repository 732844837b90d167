import { misuse, requireBytes, requireBytesList, requireObject, shown, uint32Bytes } from '@tutti/wasm-bls/kernel';
import { hashToScalar } from './group.ts';
import { identityPublicKey, readSecret } from './identityKey.ts';
import { type Occasion, occasionOf } from './parts.ts';
import { type Ring, requireRing } from './ring.ts';
import type { RingMark } from './scheme.ts';

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
 * @throws RangeError if no member has the secret key, or the entropy is too short.
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
  const { context, name } = occasionOf(ring, scheme, event, message);
  return {
    ...{ context, name, secret, index },
    draw: (number) => hashToScalar(nonceDomain, secretKey, context, name, uint32Bytes(number), entropy),
  };
}

/** Returns whether two public byte strings are equal; not in constant time. */
export const areSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/**
 * Returns the tags that two marks of one ring and event have in common, in the order of the members. The common tags
 * identify the signer: all doubles by one member share the same tag for all messages, and repeats of one message share
 * the same tags.
 *
 * @returns no tags for signatures by two different members; one tag for a double.
 * @throws TypeError if an argument is not a mark.
 */
export function sharedTags(a: RingMark, b: RingMark): Uint8Array[] {
  for (const [label, mark] of Object.entries({ a, b })) {
    requireObject(label, mark);
    requireBytesList(`${label}.tags`, mark.tags);
  }
  return a.tags.filter((tag, i) => i < b.tags.length && areSame(tag, b.tags[i]!));
}
