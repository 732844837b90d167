import { requireBytes } from '../arguments.ts';
import { asciiBytes, concat } from '../bytes.ts';

/** Domain separation prefix of the statement that the author of a Horn aggregate signs; see `hornStatement`. */
export const authorDomain = asciiBytes('tutti horn author v1');

/**
 * Prefix of the statements that a key signs about itself, in particular the statement that binds a node's network key
 * (X25519) to the node's BLS key. Without that statement, the author of a registry could pair another member's BLS key
 * with the author's own network key, and send messages in that member's name.
 */
const identityDomain = asciiBytes('tutti identity v1\0');

/**
 * Returns the statement that a BLS key signs to bind a network key to the BLS key.
 *
 * @param publicKey compressed BLS key: 48 bytes of G1, or 96 bytes of G2 (`min-sig`).
 * @param networkKey 32 bytes, X25519.
 */
export function identityStatement(publicKey: Uint8Array, networkKey: Uint8Array): Uint8Array {
  requireBytes('publicKey', publicKey);
  requireBytes('networkKey', networkKey);
  return concat(identityDomain, publicKey, networkKey);
}

/**
 * Returns whether a message could be mistaken for a statement defined in this file, or for an author's statement in
 * Horn. No member signs such a message as its message for a round or a slot. The signature would bind a network key, or
 * an aggregate, that the requester of the signature chose.
 */
export function looksLikeIdentity(message: Uint8Array): boolean {
  requireBytes('message', message);
  return [identityDomain, authorDomain].some((domain) => domain.every((byte, i) => message[i] === byte));
}

const registrationDomain = asciiBytes('registration v1\0');

/**
 * Returns the statement that an anonymous key signs about its own registration. Without the statement, another party
 * could register the key. No member signs such a message in a round.
 *
 * @param digest 32 bytes, the SHA-256 digest of the whole registration except this signature.
 */
export function registrationStatement(digest: Uint8Array): Uint8Array {
  requireBytes('digest', digest);
  return concat(identityDomain, registrationDomain, digest);
}

const ringKey = asciiBytes('ring key v1\0');

/**
 * Returns the statement that a BLS key signs about its member's identity key on ristretto255. No member signs such a
 * message in a round.
 *
 * @param identityKey 32 bytes.
 */
export function ringKeyStatement(identityKey: Uint8Array): Uint8Array {
  requireBytes('identityKey', identityKey);
  return concat(identityDomain, ringKey, identityKey);
}

const beaconDomain = asciiBytes('registry beacon v1\0');

/**
 * Returns the statement that all members of a registry sign to create its beacon. The members' public keys, with proofs
 * of possession, commit the members to these signatures. Each signature is unique, so the multi-signature of all
 * members follows from the registry alone. No member knows the multi-signature before the last member has signed. If a
 * member tries other keys to change its position, it changes the digest, and the other members have not signed the
 * changed digest. No member signs such a message in a round.
 *
 * @param digest 32 bytes, the result of `registryDigest`.
 */
export function registryBeaconStatement(digest: Uint8Array): Uint8Array {
  requireBytes('digest', digest);
  return concat(identityDomain, beaconDomain, digest);
}

/** Length of an X25519 key, secret or public, bytes (RFC 7748). */
export const networkKeyBytes = 32;

/** The prime 2^255 - 19, the modulus of X25519's coordinates. */
const prime = 2n ** 255n - 19n;

/**
 * Returns the key as X25519 reads it (RFC 7748, section 5): without the highest bit, which X25519 ignores, and reduced
 * modulo the prime. Keys with the same result are equivalent.
 *
 * @param publicKey 32 bytes, little-endian.
 * @throws RangeError for any length other than 32 bytes.
 */
export function canonicalNetworkKey(publicKey: Uint8Array): Uint8Array {
  const coordinate = coordinateOf(publicKey);
  return Uint8Array.from({ length: networkKeyBytes }, (_, at) => Number((coordinate >> BigInt(8 * at)) & 0xffn));
}

/** Returns a key's coordinate, less than the prime. @throws RangeError for any length other than 32 bytes. */
function coordinateOf(publicKey: Uint8Array): bigint {
  requireBytes('publicKey', publicKey);
  if (publicKey.length !== networkKeyBytes)
    throw new RangeError(`publicKey: expected ${networkKeyBytes} bytes, got ${publicKey.length}`);
  let coordinate = 0n;
  for (let at = networkKeyBytes - 1; at >= 0; at--) coordinate = (coordinate << 8n) | BigInt(publicKey[at]!);
  return (coordinate & (2n ** 255n - 1n)) % prime;
}

/**
 * Coordinates of the points of low order: points of order 2, 4 and 8 on Curve25519 and of order 4 on its twist. The
 * shared secret with such a point is 0 for every secret key, so any observer could compute the shared secret.
 */
const lowOrder: readonly bigint[] = [
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  prime - 1n,
];

/**
 * Returns whether a public key is a point of low order.
 *
 * @param publicKey 32 bytes.
 * @throws RangeError for any length other than 32 bytes.
 */
export function isWeakNetworkKey(publicKey: Uint8Array): boolean {
  return lowOrder.includes(coordinateOf(publicKey));
}
