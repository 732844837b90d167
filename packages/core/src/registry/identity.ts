import { requireBytes } from '../arguments.ts';
import { authorDomain } from '../authorDomain.ts';
import { asciiBytes, concat } from '../bytes.ts';

/**
 * Prefix of the statement that binds a node's network key (X25519) to its BLS key. The BLS key signs the statement.
 * Without it, the author of a registry could pair another member's BLS key with a network key of its own, and send in
 * that member's name.
 */
const identityDomain = asciiBytes('tutti identity v1\0');

/**
 * Returns the statement that a BLS key signs to bind a network key to itself.
 *
 * @param publicKey compressed BLS key: 48 bytes of G1, or 96 bytes of G2 (`min-sig`).
 * @param networkKey 32 bytes, X25519.
 */
export function identityStatement(publicKey: Uint8Array, networkKey: Uint8Array): Uint8Array {
  requireBytes('publicKey', publicKey);
  requireBytes('networkKey', networkKey);
  const statement = new Uint8Array(identityDomain.length + publicKey.length + networkKey.length);
  statement.set(identityDomain);
  statement.set(publicKey, identityDomain.length);
  statement.set(networkKey, identityDomain.length + publicKey.length);
  return statement;
}

/**
 * Returns whether a message could be mistaken for an identity statement, or for an author's statement in Horn. No round
 * and no slot signs such a message. The signature would bind a network key, or an aggregate, that the requester chose.
 */
export function looksLikeIdentity(message: Uint8Array): boolean {
  requireBytes('message', message);
  return [identityDomain, authorDomain].some((domain) => domain.every((byte, i) => message[i] === byte));
}

const registrationDomain = asciiBytes('registration v1\0');

/**
 * Returns the statement that an anonymous key signs about its own registration. Without the statement, another party
 * could register the key. No round signs such a message.
 *
 * @param digest 32 bytes of SHA-256 over all of the registration except this signature.
 */
export function registrationStatement(digest: Uint8Array): Uint8Array {
  const statement = new Uint8Array(identityDomain.length + registrationDomain.length + digest.length);
  statement.set(identityDomain);
  statement.set(registrationDomain, identityDomain.length);
  statement.set(digest, identityDomain.length + registrationDomain.length);
  return statement;
}

const ringKey = asciiBytes('ring key v1\0');

/**
 * Returns the statement that a BLS key signs about its member's identity key on ristretto255. No round signs such a
 * message.
 *
 * @param identityKey 32 bytes.
 */
export function ringKeyStatement(identityKey: Uint8Array): Uint8Array {
  requireBytes('identityKey', identityKey);
  return concat(identityDomain, ringKey, identityKey);
}

const beaconDomain = asciiBytes('registry beacon v1\0');

/**
 * Returns the statement that all members of a registry sign to create its beacon. Their public keys, with proofs of
 * possession, commit them to these signatures. Each signature is unique, so the multi-signature of all members follows
 * from the registry alone. No member knows it before the last member has signed. A member that tries other keys to
 * change its position changes the digest, which the others have not signed. No round signs such a message.
 *
 * @param digest 32 bytes, see `registryDigest`.
 */
export function registryBeaconStatement(digest: Uint8Array): Uint8Array {
  requireBytes('digest', digest);
  return concat(identityDomain, beaconDomain, digest);
}
