import type { CryptoSuite, KeyAgreement } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';

/**
 * Returns the suite with a cache, for a node that meets the same peers in each round. X25519 of the node's secret and a
 * peer's key, the expensive part of a first contact, is computed only once. If both ends are nodes that share the
 * cache, it is computed once for both. The cache grows by 32 bytes per pair of keys, so use it only with a registry's
 * keys.
 */
export function rememberedSecrets(crypto: CryptoSuite): CryptoSuite {
  requireSuite(crypto);
  const agreements = new Map<string, KeyAgreement>();
  const shared = new Map<string, Uint8Array | undefined>();
  return {
    ...crypto,
    keyAgreement(secret) {
      const name = nameOf(secret);
      const known = agreements.get(name);
      if (known !== undefined) return known;
      const agreement = remembering(crypto.keyAgreement(secret), shared);
      agreements.set(name, agreement);
      return agreement;
    },
  };
}

function remembering(agreement: KeyAgreement, shared: Map<string, Uint8Array | undefined>): KeyAgreement {
  const { publicKey: own } = agreement;
  const ownName = nameOf(own);
  return {
    publicKey: own,
    sharedSecret(publicKey) {
      const theirs = nameOf(publicKey);
      const name = ownName < theirs ? ownName + theirs : theirs + ownName;
      if (!shared.has(name)) shared.set(name, agreement.sharedSecret(publicKey));
      return shared.get(name);
    },
  };
}

/** Returns a cache key for a key, with one character per byte, which is the fastest form to create and compare. */
function nameOf(key: Uint8Array): string {
  return String.fromCharCode(...key);
}
