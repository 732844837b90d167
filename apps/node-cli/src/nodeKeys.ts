import { createHash, randomBytes } from 'node:crypto';
import { type Endpoint, identityStatement, networkKey, type RegistryEntry } from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';

/** What a node must keep to itself. */
export interface NodeSecrets {
  /** BLS secret key, 32 bytes. */
  readonly secretKey: Uint8Array;
  /** X25519 secret key, 32 bytes. */
  readonly networkSecret: Uint8Array;
}

export function freshSecrets(bls: Bls): NodeSecrets {
  return { secretKey: bls.keyGen(randomBytes(32)), networkSecret: randomBytes(32) };
}

/**
 * The secrets of one node of a rehearsal: the same for the same seed, so that a run can be seen again, and therefore no
 * secrets at all. Only simulations and clusters on loopback use them.
 */
export function rehearsalSecrets(bls: Bls, seed: number, index: number): NodeSecrets {
  const derive = (purpose: string) =>
    createHash('sha256').update(`tutti rehearsal ${purpose} ${seed} ${index}`).digest();
  return { secretKey: bls.keyGen(derive('signing')), networkSecret: derive('network') };
}

/** A node's entry in the registry, with the proofs that only the holder of its secrets can make. */
export function registryEntry(bls: Bls, secrets: NodeSecrets, endpoint: Endpoint): RegistryEntry {
  const publicKey = bls.publicKey(secrets.secretKey);
  const peerKey = networkKey(secrets.networkSecret).publicKey;
  return {
    publicKey,
    proofOfPossession: bls.provePossession(secrets.secretKey),
    networkKey: peerKey,
    networkKeyProof: bls.sign(secrets.secretKey, identityStatement(publicKey, peerKey)),
    endpoint,
  };
}
