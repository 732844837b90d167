import { ringKeyStatement } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import type { Bls } from '@tutti/wasm-bls';
import { type IdentityKeyPair, proveIdentity, verifyIdentity } from '../ring.ts';

/** An identity key in the public list of members, bound to the member's BLS key by a signature of each of the two. */
export interface ListedIdentity {
  /** Identity key as an encoded ristretto255 element, 32 bytes. */
  readonly publicKey: Uint8Array;
  /**
   * Signature by the identity key over a statement that names the BLS key, 96 bytes. The identity key's signature
   * prevents a member from listing another member's identity key with its own BLS key.
   */
  readonly proof: Uint8Array;
  /**
   * Signature by the BLS key over `ringKeyStatement`, 96 bytes. The BLS key's signature prevents a member from listing
   * its own identity key with another member's BLS key.
   */
  readonly binding: Uint8Array;
}

/** Binds an identity key and a BLS key to each other by a signature with each. */
export function listIdentity(bls: Bls, blsSecret: Uint8Array, identity: IdentityKeyPair): ListedIdentity {
  return {
    publicKey: identity.publicKey,
    proof: proveIdentity(identity.secretKey, bls.publicKey(blsSecret), nodeCrypto.randomBytes(32)),
    binding: bls.sign(blsSecret, ringKeyStatement(identity.publicKey)),
  };
}

/**
 * Verifies both signatures that bind the keys.
 *
 * @param member index in the list, for the error message.
 * @throws EnvironmentError `bad-identity`.
 */
export function verifyListedIdentity(bls: Bls, blsKey: Uint8Array, listed: ListedIdentity, member: number): void {
  const { publicKey, proof, binding } = listed;
  const refuse = (field: string, signer: string) =>
    new EnvironmentError(
      'bad-identity',
      `member ${member}: ${field}: expected a signature by its ${signer} key that binds its BLS key and its identity key together, got another; use the unchanged list`,
    );
  if (!verifyIdentity(publicKey, blsKey, proof)) throw refuse('proof', 'identity');
  if (!bls.verify(blsKey, ringKeyStatement(publicKey), binding)) throw refuse('binding', 'BLS');
}
