import type { CryptoSuite, KeyAgreement } from '../crypto/suite.ts';

/**
 * The same suite for a node that meets the same peers round after round: what X25519 made of its secret and a peer's key is
 * computed once, the dear part of meeting. It grows by 32 bytes for each key it is asked about, so only a registry's keys may
 * be put to it.
 */
export function rememberedSecrets(crypto: CryptoSuite): CryptoSuite {
  const agreements = new Map<string, KeyAgreement>();
  return {
    ...crypto,
    keyAgreement(secret) {
      const name = nameOf(secret);
      const known = agreements.get(name);
      if (known !== undefined) return known;
      const agreement = remembering(crypto.keyAgreement(secret));
      agreements.set(name, agreement);
      return agreement;
    },
  };
}

function remembering(agreement: KeyAgreement): KeyAgreement {
  const shared = new Map<string, Uint8Array | undefined>();
  return {
    publicKey: agreement.publicKey,
    sharedSecret(publicKey) {
      const name = nameOf(publicKey);
      if (!shared.has(name)) shared.set(name, agreement.sharedSecret(publicKey));
      return shared.get(name);
    },
  };
}

/** A character a byte: of all names of a key the one that is made and compared soonest. */
function nameOf(key: Uint8Array): string {
  return String.fromCharCode(...key);
}
