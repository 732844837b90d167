import { requireBytes, requireText } from '@tutti/core/input';
import type { CryptoSuite } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';

/** Bytes of what names a session. */
export const sessionBytes = 32;

const sessionDomain = 'tutti session v1';

/**
 * Names a round of a registry, so that channels of one round refuse the packets of another. All nodes of a round
 * compute the same from what they agree on.
 *
 * @param registryDigest 32 bytes, see `registryDigest`.
 * @param round whatever the nodes of this round agree on and no other round of this registry has: a number, a nonce.
 * @returns 32 bytes.
 */
export function sessionId(crypto: CryptoSuite, registryDigest: Uint8Array, round: string): Uint8Array {
  requireSuite(crypto);
  requireBytes('registryDigest', registryDigest);
  requireText('round', round);
  if (registryDigest.length !== 32)
    throw new RangeError(`registryDigest: expected 32 bytes, got ${registryDigest.length}`);
  const text = new TextEncoder();
  return crypto.sha256([text.encode(sessionDomain), registryDigest, text.encode(round)]);
}
