import { requireBytes, requireText } from '@tutti/core/input';
import type { CryptoSuite } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';

/** Length of a session identifier, bytes. */
export const sessionBytes = 32;

const sessionDomain = 'tutti session v1';

/**
 * Returns the identifier of a round of a registry. Channels of one round reject the packets of another. All nodes of a
 * round compute the same identifier from data on which they agree.
 *
 * @param registryDigest 32 bytes, see `registryDigest`.
 * @param round a text that is common to all nodes of this round and differs from other rounds of this registry: a
 * number, a nonce.
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
