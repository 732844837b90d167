import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { canonicalNetworkKey, networkKeyBytes } from '@tutti/core';
import { concat, requireBytes, toHex } from '@tutti/core/input';
import { type CryptoSuite, requireSuite, requireX25519Length } from '../crypto/suite.ts';

/**
 * A node's network identity: an X25519 key pair that is separate from the node's BLS key and bound to it in the
 * registry.
 */
export interface NetworkKey {
  /** Public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Secret key, 32 bytes. */
  readonly secret: Uint8Array;
}

/**
 * Returns a key pair for the network.
 *
 * @param secret 32 bytes. Default: a new random secret.
 * @throws RangeError unless the secret has 32 bytes.
 */
export function networkKey(crypto: CryptoSuite, secret?: Uint8Array): NetworkKey {
  requireSuite(crypto);
  const own = secret ?? crypto.randomBytes(networkKeyBytes);
  return { publicKey: crypto.keyAgreement(own).publicKey, secret: own };
}

/** Length of a signature by a network key, bytes. */
export const networkSignatureBytes = 64;

const { Point } = ed25519;
const { Fp, Fn } = Point;

/** Prefix of the input of hash_1 in XEdDSA: 2^256 - 2, little-endian. */
const nonceDomain = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0xfe : 0xff));
const nonceEntropyBytes = 64;

const scalarOf = (...parts: readonly Uint8Array[]): bigint => Fn.create(bytesToNumberLE(sha512(concat(...parts))));

/**
 * Signs with an X25519 key (XEdDSA: Perrin, "The XEdDSA and VXEdDSA Signature Schemes", 2016, section 3). The
 * implementation is not constant-time.
 *
 * @param secret secret key, 32 bytes. @returns the signature, 64 bytes.
 * @throws RangeError for a secret of any other length; TypeError for arguments that are not bytes.
 */
export function signWithNetworkKey(crypto: CryptoSuite, secret: Uint8Array, message: Uint8Array): Uint8Array {
  requireSuite(crypto);
  requireX25519Length('secret', secret);
  requireBytes('message', message);
  const clamped = secret.slice();
  clamped[0]! &= 0xf8;
  clamped[31] = (clamped[31]! & 0x7f) | 0x40;
  const scalar = Fn.create(bytesToNumberLE(clamped));
  const point = Point.BASE.multiply(scalar);
  const isOdd = (point.toBytes()[31]! & 0x80) !== 0;
  const own = isOdd ? Fn.neg(scalar) : scalar;
  const key = (isOdd ? point.negate() : point).toBytes();
  const nonce = scalarOf(nonceDomain, numberToBytesLE(own, 32), message, crypto.randomBytes(nonceEntropyBytes));
  const commitment = Point.BASE.multiply(nonce).toBytes();
  const challenge = scalarOf(commitment, key, message);
  return concat(commitment, numberToBytesLE(Fn.add(nonce, Fn.mul(challenge, own)), 32));
}

/**
 * Returns whether the owner of an X25519 key signed the message. The key must be canonical and of prime order, which
 * holds for every key derived from a secret. Signatures under other encodings of a key are invalid.
 *
 * @param publicKey X25519 public key. @param signature arbitrary input from a peer. Either argument may have a wrong
 * length, and is then invalid.
 */
export function verifyNetworkKey(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  for (const [name, bytes] of Object.entries({ publicKey, message, signature })) requireBytes(name, bytes);
  if (publicKey.length !== networkKeyBytes || signature.length !== networkSignatureBytes) return false;
  if (toHex(canonicalNetworkKey(publicKey)) !== toHex(publicKey)) return false;
  const key = edwardsKey(publicKey);
  return key !== undefined && ed25519.verify(signature, message, key, { zip215: false });
}

/**
 * Returns the Ed25519 key for the same point, with an even x (RFC 7748, section 4.1), or undefined if there is no such
 * key.
 */
function edwardsKey(publicKey: Uint8Array): Uint8Array | undefined {
  const u = bytesToNumberLE(publicKey);
  const above = Fp.add(u, 1n);
  if (Fp.is0(above)) return undefined;
  const bytes = Fp.toBytes(Fp.mul(Fp.sub(u, 1n), Fp.inv(above)));
  try {
    const point = Point.fromBytes(bytes);
    return !point.is0() && point.isTorsionFree() ? bytes : undefined;
  } catch {
    return undefined;
  }
}
