import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { joinBytes, ownBytes } from '@tutti/wasm-bls/kernel';

/** Length of the generator's state, and of each output, bytes. An output is reduced modulo the group order. */
export const stateBytes = 64;

const utf8 = new TextEncoder();

/** Returns the encoding of a purpose and its data. */
export const labelled = (label: string, ...parts: readonly Uint8Array[]): Uint8Array =>
  joinBytes([utf8.encode(label), ...parts]);

/** Returns a time as 4 bytes, big-endian. */
export function timeBytes(time: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, time);
  return bytes;
}

/**
 * The random generator inside a Pixel key: HKDF-SHA512 with a state that is overwritten at every step, so that earlier
 * outputs cannot be computed again.
 */
export class Randomness {
  /** State of the generator. The array is owned by this object and changed in place. */
  readonly state: Uint8Array;

  constructor(state: Uint8Array) {
    this.state = ownBytes(state);
  }

  static from(seed: Uint8Array, salt: Uint8Array): Randomness {
    return new Randomness(extract(sha512, ownBytes(seed), salt));
  }

  /** Returns 64 random bytes for a purpose, and advances the state. */
  sampleThenUpdate(info: Uint8Array): Uint8Array {
    const output = expand(sha512, this.state, info, 2 * stateBytes);
    this.state.set(output.subarray(stateBytes));
    const sample = output.slice(0, stateBytes);
    output.fill(0);
    return sample;
  }

  /** Returns 64 random bytes for a purpose, without changing the state. */
  sample(info: Uint8Array): Uint8Array {
    return expand(sha512, this.state, info, stateBytes);
  }

  /** Mixes `seed` into the state as new entropy; `seed` may be empty. */
  rerandomize(seed: Uint8Array, info: Uint8Array): void {
    const output = expand(sha512, this.state, info, 2 * stateBytes);
    const material = joinBytes([output.subarray(0, stateBytes), seed]);
    const next = extract(sha512, material, output.subarray(stateBytes));
    this.state.set(next);
    for (const bytes of [output, material, next]) bytes.fill(0);
  }
}
