import { nodeCrypto, sessionId } from '@tutti/transports/raw';

const identitiesLabel = new TextEncoder().encode('tutti identities v1');

/** Names a list of members: SHA-256 over their registry's digest and their identity keys, 32 bytes. */
export function identitiesDigest(registryDigest: Uint8Array, identityKeys: readonly Uint8Array[]): Uint8Array {
  return nodeCrypto.sha256([identitiesLabel, registryDigest, ...identityKeys]);
}

/**
 * The event of a set-up's ring signatures, and its channels' session: 32 bytes, derived from everything that its
 * members agree on. Within one event a member registers once; another label makes another event, whose keys cannot be
 * linked with those of the first.
 */
export function setupEvent(digest: Uint8Array, label: string): Uint8Array {
  return sessionId(nodeCrypto, digest, `set-up ${label}`);
}
