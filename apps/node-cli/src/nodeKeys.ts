import { randomBytes } from 'node:crypto';
import { type Endpoint, identityStatement, type RegistryEntry } from '@tutti/core';
import { networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { type Bls, insecureSecretKey, insecureSeed } from '@tutti/wasm-bls';

/** Secret keys of a node. */
export interface NodeSecrets {
  /** BLS secret key, 32 bytes. */
  readonly secretKey: Uint8Array;
  /** X25519 secret key, 32 bytes. */
  readonly networkSecret: Uint8Array;
}

export function freshSecrets(bls: Bls): NodeSecrets {
  return { secretKey: bls.keyGen(randomBytes(32)), networkSecret: randomBytes(32) };
}

/** Returns the insecure test secrets of one node. Anyone who knows the seed can compute these secrets. */
export function insecureSecrets(bls: Bls, seed: number, index: number): NodeSecrets {
  return { secretKey: insecureSecretKey(bls, seed, index), networkSecret: insecureSeed('network', seed, index) };
}

/** Returns the registry entry of a node, with the proofs that only the holder of the node's secrets can create. */
export function registryEntry(bls: Bls, secrets: NodeSecrets, endpoint: Endpoint): RegistryEntry {
  const publicKey = bls.publicKey(secrets.secretKey);
  const peerKey = networkKey(nodeCrypto, secrets.networkSecret).publicKey;
  return {
    publicKey,
    proofOfPossession: bls.provePossession(secrets.secretKey),
    networkKey: peerKey,
    networkKeyProof: bls.sign(secrets.secretKey, identityStatement(publicKey, peerKey)),
    endpoint,
  };
}
