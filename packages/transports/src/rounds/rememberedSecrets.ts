import type { CryptoSuite, KeyAgreement } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';

/**
 * The same suite, for a node that meets the same peers round after round: what X25519 computed from its secret and a
 * peer's key is computed once, the costly part of meeting; and once for both ends, where both are nodes that share it.
 * It grows by 32 bytes for each pair of keys it is asked about, so only a registry's keys may be put to it.
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

/** A character a byte: of all names of a key the one that is made and compared soonest. */
function nameOf(key: Uint8Array): string {
  return String.fromCharCode(...key);
}
