import { type BlsRound, misuse } from '@tutti/wasm-bls/kernel';
import { decoded, joined, KernelRound, kernel, refusedItem, startKernel } from '@tutti/wasm-bls/kernel/blst';
import { type KeptPairing, type PixelCurve, type PixelGenerators, size } from './curve.ts';

const noBytes = new Uint8Array();

/** Checks a result of the kernel, which is empty for an invalid point. */
function requireAnswer(answer: Uint8Array, label: string, expected: string): Uint8Array {
  if (answer.length === 0) throw misuse(RangeError, label, expected, 'an invalid point');
  return answer;
}

const checkedPoints = 'points that were checked';

class KernelGenerators implements PixelGenerators {
  readonly #parameters: kernel.PixelParameters;

  constructor(parameters: kernel.PixelParameters) {
    this.#parameters = parameters;
  }

  firstSubkey(secret: Uint8Array, randomness: Uint8Array): Uint8Array {
    return this.#parameters.first_subkey(secret, randomness);
  }

  delegate(subkey: Uint8Array, path: Uint8Array, randomness: Uint8Array | undefined): Uint8Array {
    return requireAnswer(this.#parameters.delegate(subkey, path, randomness ?? noBytes), 'secretKey', checkedPoints);
  }

  sign(subkey: Uint8Array, path: Uint8Array, message: Uint8Array, randomness: Uint8Array): Uint8Array {
    return requireAnswer(this.#parameters.sign(subkey, path, message, randomness), 'secretKey', checkedPoints);
  }

  verify(key: Uint8Array, path: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
    return this.#parameters.verify(key, path, message, signature);
  }

  verifySubkey(key: Uint8Array, path: Uint8Array, subkey: Uint8Array, coefficients: Uint8Array): boolean {
    return this.#parameters.check_subkey(key, path, subkey, coefficients);
  }

  keep(keys: readonly Uint8Array[]): KeptPairing {
    const kept = this.#parameters.keep(joined(keys, size.g1) ?? noBytes);
    if (kept === undefined) throw misuse(RangeError, 'publicKeys', 'valid keys that do not cancel out', 'others');
    let live: kernel.PixelKept | undefined = kept;
    return {
      verify: (path, message, signature) => {
        if (live === undefined) throw misuse(TypeError, 'committee', 'a live one', 'a freed one');
        return this.#parameters.verify_kept(live, path, message, signature);
      },
      free: () => {
        live?.free();
        live = undefined;
      },
    };
  }

  round(keys: readonly Uint8Array[], path: Uint8Array, message: Uint8Array): BlsRound {
    const points = joined(keys, size.g1Point);
    const round = points && this.#parameters.round(points, path, message);
    if (round === undefined) throw misuse(RangeError, 'publicKeys', 'valid public keys', 'an invalid point');
    return new KernelRound(round, keys.length);
  }
}

const kernelCurve: PixelCurve = {
  name: 'blst-wasm',
  mapToG2: kernel.map_to_g2,
  hashToG2: (message, domain) => kernel.hash_to_curve(message, new TextEncoder().encode(domain)),
  publicKey: kernel.pixel_public_key,
  provePossession: kernel.pixel_prove_possession,
  verifyPossession: kernel.pixel_verify_possession,
  validateKey: (bytes) => decoded(kernel.validate_public_key(bytes)),
  sumKeys(keys) {
    const bytes = joined(keys, size.g1);
    const sum = bytes === undefined ? undefined : kernel.aggregate_public_keys(bytes);
    if (sum?.length === size.g1) return sum;
    throw refusedItem('publicKeys', 'a valid public key', keys, kernel.validate_public_key);
  },
  decodeSignature: (bytes) => decoded(kernel.pixel_decode_signature(bytes)),
  encodeSignature: (points) => requireAnswer(kernel.pixel_encode_signature(points), 'point', checkedPoints),
  addSignatures: (a, b) => requireAnswer(kernel.pixel_add_signatures(a, b), 'a, b', checkedPoints),
  open(points) {
    const parameters = kernel.PixelParameters.open(points);
    if (parameters === undefined) throw misuse(RangeError, 'parameters', 'points of G2', 'an invalid point');
    return new KernelGenerators(parameters);
  },
};

/**
 * Loads Pixel's curve on blst, compiled to WebAssembly.
 *
 * @throws BlsLoadError if the kernel cannot be read or started.
 */
export async function loadKernelCurve(): Promise<PixelCurve> {
  await startKernel();
  return kernelCurve;
}
