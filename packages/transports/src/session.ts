import { createHash } from 'node:crypto';

/** Bytes of what names a session. */
export const SESSION_BYTES = 32;

/**
 * Names a round of a registry, so that channels of one round refuse the packets of another. All nodes of a round compute
 * the same from what they agree on.
 *
 * @param registryDigest 32 bytes, see `registryDigest`.
 * @param round whatever the nodes of this round agree on and no other round of this registry has: a number, a nonce.
 * @returns 32 bytes.
 */
export function sessionId(registryDigest: Uint8Array, round: string): Uint8Array {
  if (registryDigest.length !== 32)
    throw new RangeError(`registryDigest: expected 32 bytes, got ${registryDigest.length}`);
  return new Uint8Array(
    createHash('sha256').update('tutti session v1').update(registryDigest).update(round, 'utf8').digest(),
  );
}
