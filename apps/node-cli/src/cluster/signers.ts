import { randomBytes } from 'node:crypto';
import type { WireForm } from '@tutti/core';
import {
  type Endpoint,
  Group,
  type GroupOptions,
  identityStatement,
  networkKey,
  type PeerOptions,
  type RegistryEntry,
  type RegistryVerifier,
} from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/raw';
import { insecureSeed, loadBls, type Variant } from '@tutti/wasm-bls';
import { loadPixel, type Pixel } from '@tutti/wasm-bls/pixel';
import { localGroup } from '../localGroup.ts';
import { insecureSecrets, registryEntry } from '../nodeKeys.ts';
import { pixelKernel, pixelVerifier } from '../pixel/pixelKernel.ts';

/** The signature schemes that a cluster can run on. */
export const clusterSchemes = ['bls', 'pixel'] as const;
export type ClusterSchemeName = (typeof clusterSchemes)[number];

/** What a node signs with and is known by: insecure test keys. */
export interface Signer {
  readonly networkSecret: Uint8Array;
  readonly sign: PeerOptions['sign'];
  entry(endpoint: Endpoint): RegistryEntry;
  /** A copy of the present secret key, for playing a thief. */
  stolenKey(): Uint8Array;
}

/** A signature scheme, as a process of a cluster uses it. */
export interface Signers {
  /** The signer of a registry entry, whose key follows from the cluster's seed. */
  signer(seed: number, index: number): Signer;
  readonly verifier: RegistryVerifier;
  /** @param form how signatures travel; of BLS. */
  group(entries: GroupOptions['entries'], form?: WireForm): Group;
}

/** @param variant of BLS. */
export async function loadSigners(
  scheme: ClusterSchemeName,
  kernel: 'wasm' | 'noble',
  variant: Variant,
): Promise<Signers> {
  return scheme === 'pixel'
    ? pixelSigners(await loadPixel({ kernel }))
    : blsSigners(await loadBls({ kernel, variant }));
}

function blsSigners(bls: Awaited<ReturnType<typeof loadBls>>): Signers {
  return {
    signer(seed, index) {
      const secrets = insecureSecrets(bls, seed, index);
      return {
        networkSecret: secrets.networkSecret,
        sign: (message) => bls.sign(secrets.secretKey, message),
        entry: (endpoint) => registryEntry(bls, secrets, endpoint),
        stolenKey: () => Uint8Array.from(secrets.secretKey),
      };
    },
    verifier: bls,
    group: (entries, form) => localGroup(bls, { entries }, form),
  };
}

function pixelSigners(pixel: Pixel): Signers {
  return {
    signer: (seed, index) => new PixelSigner(pixel, seed, index),
    // Who a node is was signed at period 1, whose key is the first to go.
    verifier: {
      verifyPossession: (publicKey, proof) => pixel.verifyPossession(publicKey, proof),
      verify: (publicKey, message, signature) => pixel.verify(publicKey, 1, message, signature),
    },
    group: (entries) =>
      new Group({ crypto: nodeCrypto, kernel: pixelKernel(pixel), entries, openVerifier: pixelVerifier(pixel) }),
  };
}

/** A node that updates its key before it signs at a later period, and forgets the old one. */
class PixelSigner implements Signer {
  readonly networkSecret: Uint8Array;
  readonly #pixel: Pixel;
  readonly #known: Pick<RegistryEntry, 'publicKey' | 'proofOfPossession' | 'networkKey' | 'networkKeyProof'>;
  #secretKey: Uint8Array;

  constructor(pixel: Pixel, seed: number, index: number) {
    this.#pixel = pixel;
    this.networkSecret = insecureSeed('network', seed, index);
    const { publicKey, proofOfPossession, secretKey } = pixel.keyGen(insecureSeed('signing', seed, index));
    const peerKey = networkKey(nodeCrypto, this.networkSecret).publicKey;
    this.#secretKey = secretKey;
    this.#known = {
      publicKey,
      proofOfPossession,
      networkKey: peerKey,
      networkKeyProof: pixel.sign(secretKey, identityStatement(publicKey, peerKey)),
    };
  }

  entry(endpoint: Endpoint): RegistryEntry {
    return { ...this.#known, endpoint };
  }

  stolenKey(): Uint8Array {
    return Uint8Array.from(this.#secretKey);
  }

  readonly sign: PeerOptions['sign'] = (message, { period }) => {
    if (period === undefined) throw new RangeError('period: expected one in the plan of a round of Pixel, got none');
    if (period > this.#pixel.timeOf(this.#secretKey))
      this.#secretKey = this.#pixel.update(this.#secretKey, period, randomBytes(32));
    return this.#pixel.sign(this.#secretKey, message);
  };
}
