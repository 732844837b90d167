import { requireBytes, requireMethods } from '@tutti/core/input';

/** Bytes of an X25519 key, secret or public (RFC 7748), and of what two of them share. */
export const x25519Bytes = 32;
/** Bytes of a key of ChaCha20-Poly1305 (RFC 8439), of its nonce, and of the tag that sealing adds. */
export const sealKeyBytes = 32;
export const sealNonceBytes = 12;
export const sealTagBytes = 16;

/** One end of X25519 (RFC 7748): a secret key that stays inside. */
export interface KeyAgreement {
  /** 32 bytes, computed when asked for. */
  readonly publicKey: Uint8Array;

  /**
   * The 32 bytes that both ends, and nobody else, can compute; undefined when the public key is one of the few of low
   * order, with which everybody could.
   *
   * @throws RangeError unless `publicKey` has 32 bytes.
   */
  sharedSecret(publicKey: Uint8Array): Uint8Array | undefined;
}

/**
 * The primitives that the authenticated channel is made of, synchronous. Two libraries provide them, `nodeCrypto` and
 * `nobleCrypto`, and what one seals the other opens.
 */
export interface CryptoSuite {
  readonly name: string;

  /** Unpredictable bytes. */
  randomBytes(length: number): Uint8Array;

  /** 32 bytes: SHA-256 of the parts, one after another. */
  sha256(parts: Iterable<Uint8Array>): Uint8Array;

  /** HMAC-SHA256 (RFC 2104), 32 bytes. */
  hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array;

  /** HKDF-SHA256 (RFC 5869), extracted and expanded. */
  hkdfSha256(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Uint8Array;

  /**
   * @param secret 32 bytes.
   * @throws RangeError for any other length.
   */
  keyAgreement(secret: Uint8Array): KeyAgreement;

  /**
   * ChaCha20-Poly1305 (RFC 8439). A nonce must never be used twice under one key.
   *
   * @param out where ciphertext and tag go, exactly `sealTagBytes` longer than the plaintext.
   */
  seal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, plaintext: Uint8Array, out: Uint8Array): void;

  /**
   * @param sealed ciphertext and tag, at least `sealTagBytes` long; an untrusted peer's word.
   * @returns the plaintext; undefined when it was not sealed with this key, nonce and associated data.
   */
  open(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array | undefined;
}

/** @throws RangeError unless the key has the length of an X25519 key; TypeError for anything but bytes. */
export function assertX25519Length(label: string, key: Uint8Array): void {
  requireBytes(label, key);
  if (key.length !== x25519Bytes) throw new RangeError(`${label}: expected ${x25519Bytes} bytes, got ${key.length}`);
}

/** @throws TypeError unless `value` is a suite such as `nodeCrypto`. */
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
