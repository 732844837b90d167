import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { randomBytes } from '@noble/hashes/utils.js';
import { type CryptoSuite, requireX25519Length } from './suite.ts';

/**
 * A crypto suite based on the noble libraries, which run in every JavaScript engine. Random bytes come from the
 * platform.
 */
export const nobleCrypto: CryptoSuite = {
  name: 'noble',

  randomBytes,

  sha256(parts) {
    const hash = sha256.create();
    for (const part of parts) hash.update(part);
    return hash.digest();
  },

  hmacSha256: (key, message) => hmac(sha256, key, message),

  hkdfSha256: (secret, salt, info, length) => hkdf(sha256, secret, salt, info, length),

  keyAgreement(secret) {
    requireX25519Length('secret', secret);
    const own = secret.slice();
    return {
      get publicKey() {
        return x25519.getPublicKey(own);
      },
      sharedSecret(publicKey) {
        requireX25519Length('publicKey', publicKey);
        try {
          return x25519.getSharedSecret(own, publicKey);
        } catch {
          return undefined;
        }
      },
    };
  },

  seal(key, nonce, associated, plaintext, out) {
    // The result is not written directly into `out`, because the library is several times slower if the bytes do not
    // begin at a multiple of four.
    out.set(chacha20poly1305(key, nonce, associated).encrypt(plaintext));
  },

  open(key, nonce, associated, sealed) {
    try {
      return chacha20poly1305(key, nonce, associated).decrypt(sealed);
    } catch {
      return undefined;
    }
  },
};

/** Suite of this environment: outside Node, the package's `imports` resolve `#host-crypto` to this file. */
export { nobleCrypto as hostCrypto };
