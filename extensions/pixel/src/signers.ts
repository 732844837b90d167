import { randomBytes } from 'node:crypto';
import { type Endpoint, identityStatement, type RegistryEntry } from '@tutti/core';
import { Group, type GroupKernel, type Signer, type Signers } from '@tutti/node-cli/clusters';
import { networkKey, type PeerOptions } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { type Engine, insecureSeed, inThreadVerifier } from '@tutti/wasm-bls';
import { loadPixel, type Pixel, pixelSignatureBytes, signatureTime, suites } from './index.ts';

/** Opens the Pixel signers for a process of a cluster. */
export async function openSigners(kernel: Engine): Promise<Signers> {
  const pixel = await loadPixel({ engine: kernel });
  return {
    signer: (seed, index) => new PixelSigner(pixel, seed, index),
    // The statements about network keys were signed at period 1, whose key is the first to be deleted.
    verifier: {
      verifyPossession: (publicKey, proof) => pixel.verifyPossession(publicKey, proof),
      verify: (publicKey, message, signature) => pixel.verify(publicKey, 1, message, signature),
    },
    group: (entries) => new Group({ crypto: nodeCrypto, kernel: pixelKernel(pixel), entries }),
  };
}

/**
 * A signer that updates its key before it signs at a later period, and throws RangeError for an earlier one. An update
 * overwrites the old key.
 */
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
    requirePeriod(period);
    if (period !== this.#pixel.timeOf(this.#secretKey))
      this.#secretKey = this.#pixel.update(this.#secretKey, period, randomBytes(32));
    return this.#pixel.sign(this.#secretKey, message);
  };
}

function requirePeriod(period: number | undefined): asserts period is number {
  if (period === undefined) throw new RangeError('period: expected one in the plan of a round of Pixel, got none');
}

/**
 * Returns Pixel as a group's signature scheme. Contributions whose period or suite differs from the round's are
 * rejected on arrival.
 */
export function pixelKernel(pixel: Pixel): GroupKernel {
  const kernel: GroupKernel = {
    signatureBytes: pixelSignatureBytes,
    decodeSignature: (bytes) => pixel.decodeSignature(bytes),
    encodeSignature: (point) => pixel.encodeSignature(point),
    addSignatures: (a, b) => pixel.addSignatures(a, b),
    validatePublicKey: (bytes) => pixel.validatePublicKey(bytes),
    verifier(publicKeys, message, { period }) {
      requirePeriod(period);
      return inThreadVerifier(pixel.round(publicKeys, period, message));
    },
    forRound: ({ period }) => ({
      ...kernel,
      refusal(signature) {
        if (signature[0] !== suites[pixel.suite].byte) return 'wrong-suite';
        return signatureTime(signature) === period ? undefined : 'wrong-period';
      },
    }),
  };
  return kernel;
}
