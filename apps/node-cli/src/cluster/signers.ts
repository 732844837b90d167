import type { Endpoint, RegistryEntry, RegistryVerifier, WireForm } from '@tutti/core';
import { Group, type GroupOptions, type PeerOptions } from '@tutti/transports';
import { type Bls, type Engine, loadBls, type Variant } from '@tutti/wasm-bls';
import { insecureSecrets, registryEntry } from '../nodeKeys.ts';

/** Keys and signatures of a node, made with insecure test keys. */
export interface Signer {
  readonly networkSecret: Uint8Array;
  readonly sign: PeerOptions['sign'];
  entry(endpoint: Endpoint): RegistryEntry;
  /**
   * Returns a copy of the current secret key, to simulate the theft of the key. This function is required if the plan
   * has `stealsKey`.
   */
  stolenKey?(): Uint8Array;
}

/** A signature scheme for use by the processes of a cluster. */
export interface Signers {
  /** Returns the signer for a registry entry; the cluster's seed determines the signer's key. */
  signer(seed: number, index: number): Signer;
  readonly verifier: RegistryVerifier;
  /**
   * Creates the group.
   *
   * @param form form of signatures on the wire; BLS only.
   */
  group(entries: GroupOptions['entries'], form?: WireForm): Group;
}

/** A module that provides a signature scheme other than BLS for a cluster. */
export interface SignersModule {
  openSigners(kernel: Engine): Promise<Signers>;
}

/**
 * Loads a signature scheme.
 *
 * @param module URL of a {@link SignersModule}; BLS if undefined.
 * @param variant BLS variant; ignored if `module` is given.
 */
export async function loadSigners(module: string | undefined, kernel: Engine, variant: Variant): Promise<Signers> {
  if (module === undefined) return blsSigners(await loadBls({ engine: kernel, variant }));
  const { openSigners }: SignersModule = await import(module);
  return openSigners(kernel);
}

function blsSigners(bls: Bls): Signers {
  return {
    signer(seed, index) {
      const secrets = insecureSecrets(bls, seed, index);
      return {
        networkSecret: secrets.networkSecret,
        sign: (message) => bls.sign(secrets.secretKey, message),
        entry: (endpoint) => registryEntry(bls, secrets, endpoint),
      };
    },
    verifier: bls,
    group: (entries, form) => new Group({ kernel: bls, entries, ...(form !== undefined && { form }) }),
  };
}
