import type { CryptoSuite, KeyAgreement } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';

/**
 * Returns the suite with a cache, for a node that meets the same peers in each round. X25519 of its secret and a peer's
 * key, the expensive part of a first contact, is computed once; and once for both ends, if both are nodes that share
 * the cache. It grows by 32 bytes per pair of keys, so use it only with a registry's keys.
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

/** Returns a key's name with one character per byte, the form that is created and compared fastest. */
function nameOf(key: Uint8Array): string {
  return String.fromCharCode(...key);
}
