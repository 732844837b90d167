import { misuse, requireBytes, requireLength, shown } from '@tutti/wasm-bls/kernel';
import { hashToScalar, Point, readScalar, scalarBytes, scalarLength } from './group.ts';

/** Minimum length of the entropy of an identity key, bytes. */
const minIdentitySeedBytes = 32;

const keyDomain = 'TUTTI_RING_IDENTITY_KEY_';

/**
 * Long-term key of a member, in ristretto255. The public list of members binds the identity key to the member's BLS
 * key. The two keys are independent, see the README.
 */
export interface IdentityKeyPair {
  /** Secret key, 32 bytes, little-endian, in 1..l-1. */
  readonly secretKey: Uint8Array;
  /** Public key, 32 bytes, an encoded element. */
  readonly publicKey: Uint8Array;
}

/**
 * Derives an identity key from entropy.
 *
 * @param seed 32 bytes or more, secret, of full entropy.
 * @throws TypeError if the seed is not bytes; RangeError if it is shorter.
 */
export function identityKeyGen(seed: Uint8Array): IdentityKeyPair {
  requireBytes('seed', seed);
  if (seed.length < minIdentitySeedBytes)
    throw misuse(RangeError, 'seed', `${minIdentitySeedBytes} bytes or more`, shown(seed));
  const secretKey = scalarBytes(hashToScalar(keyDomain, seed));
  return { secretKey, publicKey: identityPublicKey(secretKey) };
}

/**
 * Returns the public key of an identity's secret key.
 *
 * @param secretKey 32 bytes, little-endian, in 1..l-1.
 * @returns 32 bytes, an encoded element.
 * @throws TypeError if the secret key is not bytes; RangeError if it has another length, is zero, or is not below the
 * group order.
 */
export function identityPublicKey(secretKey: Uint8Array): Uint8Array {
  return Point.BASE.multiply(readSecret(secretKey)).toBytes();
}

/** Decodes a secret key. @throws the same errors as {@link identityPublicKey}. */
export function readSecret(secretKey: Uint8Array): bigint {
  requireLength('secretKey', secretKey, scalarLength);
  const secret = readScalar(secretKey);
  if (secret === undefined || secret === 0n)
    throw misuse(RangeError, 'secretKey', 'a scalar in 1..l-1', 'one that is not');
  return secret;
}
