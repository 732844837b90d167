import { requireBytes, requireSuite } from '../arguments.ts';
import { type CryptoSuite, x25519Bytes } from '../crypto/suite.ts';

/** Bytes of an X25519 key, secret or public (RFC 7748). */
export const networkKeyBytes = x25519Bytes;

/** A node's identity on the network: an X25519 key pair, beside its BLS key and bound to it in the registry. */
export interface NetworkKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/**
 * A key pair for the network.
 *
 * @param secret 32 bytes; fresh random ones when not given.
 * @throws RangeError unless the secret has 32 bytes.
 */
export function networkKey(crypto: CryptoSuite, secret?: Uint8Array): NetworkKey {
  requireSuite(crypto);
  const own = secret ?? crypto.randomBytes(networkKeyBytes);
  requireBytes('secret', own);
  return { publicKey: crypto.keyAgreement(own).publicKey, secret: own };
}

/**
 * Whether a public key of 32 bytes is one of the few of low order, with which everybody could compute the shared
 * secret.
 */
export function isWeakNetworkKey(crypto: CryptoSuite, publicKey: Uint8Array): boolean {
  return crypto.keyAgreement(crypto.randomBytes(x25519Bytes)).sharedSecret(publicKey) === undefined;
}

/** 2^255 - 19, big-endian: coordinates of X25519 are counted modulo it. */
const prime = 2n ** 255n - 19n;

/**
 * The same key as X25519 reads it (RFC 7748, section 5): without the highest bit, which it ignores, and below the
 * prime. Keys that differ only there are one.
 *
 * @param publicKey 32 bytes, little-endian.
 */
export function canonicalNetworkKey(publicKey: Uint8Array): Uint8Array {
  let coordinate = 0n;
  for (let at = x25519Bytes - 1; at >= 0; at--) coordinate = (coordinate << 8n) | BigInt(publicKey[at]!);
  coordinate = (coordinate & (2n ** 255n - 1n)) % prime;
  return Uint8Array.from({ length: x25519Bytes }, (_, at) => Number((coordinate >> BigInt(8 * at)) & 0xffn));
}
