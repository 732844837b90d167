import { requireBytes, requireMethods } from '@tutti/core/input';

/** Length of an X25519 secret key, public key (RFC 7748) or shared secret, bytes. */
export const x25519Bytes = 32;
/** Length of a ChaCha20-Poly1305 key (RFC 8439), bytes. */
export const sealKeyBytes = 32;
/** Length of a ChaCha20-Poly1305 nonce, bytes. */
export const sealNonceBytes = 12;
/** Length of a ChaCha20-Poly1305 authentication tag, bytes. */
export const sealTagBytes = 16;

/** One party of an X25519 key agreement (RFC 7748), which never reveals its secret key. */
export interface KeyAgreement {
  /** Public key, 32 bytes. Each access may compute the key again. */
  readonly publicKey: Uint8Array;

  /**
   * Returns the 32-byte secret that only the two parties can compute, or undefined if the public key is of low order.
   * With a key of low order, any observer could compute the secret.
   *
   * @throws RangeError unless `publicKey` has 32 bytes; TypeError for a value other than bytes.
   */
  sharedSecret(publicKey: Uint8Array): Uint8Array | undefined;
}

/**
 * The primitives of the authenticated channel. All functions of a suite are synchronous. Two compatible suites
 * implement this interface: `nodeCrypto` and `nobleCrypto`.
 */
export interface CryptoSuite {
  readonly name: string;

  /** Returns unpredictable bytes. */
  randomBytes(length: number): Uint8Array;

  /** Returns the SHA-256 of the concatenated parts, 32 bytes. */
  sha256(parts: Iterable<Uint8Array>): Uint8Array;

  /** Returns an HMAC-SHA256 code (RFC 2104), 32 bytes. */
  hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array;

  /** Returns key material from HKDF-SHA256 (RFC 5869), performing both extract and expand. */
  hkdfSha256(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Uint8Array;

  /**
   * Creates one party of an X25519 key agreement.
   *
   * @param secret 32 bytes.
   * @throws RangeError for any other length; TypeError for a value other than bytes.
   */
  keyAgreement(secret: Uint8Array): KeyAgreement;

  /**
   * Seals with ChaCha20-Poly1305 (RFC 8439). A nonce must never be used twice with the same key.
   *
   * @param out buffer for ciphertext and tag, exactly `sealTagBytes` longer than the plaintext.
   */
  seal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, plaintext: Uint8Array, out: Uint8Array): void;

  /**
   * Opens a sealed text. @param sealed ciphertext and tag from an untrusted peer, at least `sealTagBytes` long.
   * @returns the plaintext, or undefined if the sealed text does not match this key, nonce and associated data.
   */
  open(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array | undefined;
}

/**
 * Checks the length of an X25519 key.
 *
 * @throws RangeError unless the key has 32 bytes; TypeError for a value other than bytes.
 */
export function requireX25519Length(label: string, key: Uint8Array): void {
  requireBytes(label, key);
  if (key.length !== x25519Bytes) throw new RangeError(`${label}: expected ${x25519Bytes} bytes, got ${key.length}`);
}

/** Checks that a value is a crypto suite, such as `nodeCrypto`. @throws TypeError for any other value. */
export function requireSuite(value: unknown): void {
  requireMethods('crypto', value, [
    'randomBytes',
    'sha256',
    'hmacSha256',
    'hkdfSha256',
    'keyAgreement',
    'seal',
    'open',
  ]);
}

/**
 * Returns the suite with a cache, for a node that meets the same peers in each round. X25519 of the node's secret and a
 * peer's key, the expensive part of a first contact, is computed only once. If both parties are nodes that share the
 * cache, the secret is computed once for both. The cache stores an entry for each pair of keys, so it should be used
 * only with the keys of a registry.
 *
 * @param crypto suite whose methods are its own properties, such as `nodeCrypto`; not an instance of a class.
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

/**
 * Returns the cache key for a public or secret key, with one character per byte, which is the fastest form to create
 * and compare.
 */
function nameOf(key: Uint8Array): string {
  return String.fromCharCode(...key);
}
