import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  getCiphers,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { concat } from '@tutti/core/input';
import { plain } from '../transport/transport.ts';
import { nobleCrypto } from './noble.ts';
import { type CryptoSuite, type KeyAgreement, requireX25519Length, sealTagBytes } from './suite.ts';

const cipherName = 'chacha20-poly1305';
const tagLength = { authTagLength: sealTagBytes };

// Prefix of the 32 raw bytes in the DER form of an X25519 secret key (RFC 8410).
const secretPrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');

const openssl: CryptoSuite = {
  name: 'node:crypto',

  randomBytes: (length) => plain(randomBytes(length)),

  // For data that fits into a packet, a single call with all parts concatenated is twice as fast.
  sha256(parts) {
    const all = [...parts];
    return plain(hash('sha256', all.length === 1 ? all[0]! : concat(...all), 'buffer'));
  },

  hmacSha256: (key, message) => plain(createHmac('sha256', key).update(message).digest()),

  hkdfSha256: (secret, salt, info, length) => new Uint8Array(hkdfSync('sha256', secret, salt, info, length)),

  keyAgreement,

  seal(key, nonce, associated, plaintext, out) {
    const cipher = createCipheriv(cipherName, key, nonce, tagLength);
    cipher.setAAD(associated, { plaintextLength: plaintext.length });
    out.set(cipher.update(plaintext));
    cipher.final();
    out.set(cipher.getAuthTag(), plaintext.length);
  },

  open(key, nonce, associated, sealed) {
    const end = sealed.length - sealTagBytes;
    const cipher = createDecipheriv(cipherName, key, nonce, tagLength);
    cipher.setAAD(associated, { plaintextLength: end });
    cipher.setAuthTag(sealed.subarray(end));
    const plaintext = cipher.update(sealed.subarray(0, end));
    try {
      cipher.final();
    } catch {
      return undefined;
    }
    return plain(plaintext);
  },
};

/**
 * Returns Node's crypto suite. If the runtime lacks ChaCha20-Poly1305, as Bun does, the suite uses noble to seal and
 * open.
 */
export function nodeCryptoWith(ciphers: readonly string[]): CryptoSuite {
  if (ciphers.includes(cipherName)) return openssl;
  return { ...openssl, seal: nobleCrypto.seal, open: nobleCrypto.open };
}

/** A crypto suite based on Node's own crypto module (OpenSSL), the fastest suite in Node. */
export const nodeCrypto: CryptoSuite = nodeCryptoWith(getCiphers());

function keyAgreement(secret: Uint8Array): KeyAgreement {
  requireX25519Length('secret', secret);
  const privateKey = createPrivateKey({
    key: Buffer.concat([secretPrefix, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    get publicKey() {
      const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
      return new Uint8Array(Buffer.from(x!, 'base64url'));
    },
    sharedSecret(publicKey) {
      requireX25519Length('publicKey', publicKey);
      // JWK is used instead of DER, because Node reads JWK seven times faster, and a node reads one key per peer.
      const theirs = createPublicKey({
        key: { kty: 'OKP', crv: 'X25519', x: Buffer.from(publicKey).toString('base64url') },
        format: 'jwk',
      });
      try {
        return plain(diffieHellman({ privateKey, publicKey: theirs }));
      } catch {
        return undefined;
      }
    },
  };
}

/** Suite of this environment: in Node, the package's `imports` resolve `#host-crypto` to this file. */
export { nodeCrypto as hostCrypto };
