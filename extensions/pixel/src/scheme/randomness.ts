import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { joinBytes, ownBytes } from '@tutti/wasm-bls/kernel';

/** Bytes of the generator's state, and of each output, which is taken modulo the group order. */
export const stateBytes = 64;

const utf8 = new TextEncoder();

/** A purpose, and what belongs to it. */
export const labelled = (label: string, ...parts: readonly Uint8Array[]): Uint8Array =>
  joinBytes([utf8.encode(label), ...parts]);

/** 4 bytes, big-endian. */
export function timeBytes(time: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, time);
  return bytes;
}

/**
 * The generator that a Pixel key carries with it: HKDF-SHA512, whose state is overwritten at every step, so that what
 * was drawn earlier cannot be drawn again.
 */
export class Randomness {
  /** Taken over, and changed in place. */
  readonly state: Uint8Array;

  constructor(state: Uint8Array) {
    this.state = ownBytes(state);
  }

  static from(seed: Uint8Array, salt: Uint8Array): Randomness {
    return new Randomness(extract(sha512, ownBytes(seed), salt));
  }

  /** 64 bytes for a purpose; the state goes on. */
  sampleThenUpdate(info: Uint8Array): Uint8Array {
    const output = expand(sha512, this.state, info, 2 * stateBytes);
    this.state.set(output.subarray(stateBytes));
    const sample = output.slice(0, stateBytes);
    output.fill(0);
    return sample;
  }

  /** 64 bytes for a purpose; the state stays as it is. */
  sample(info: Uint8Array): Uint8Array {
    return expand(sha512, this.state, info, stateBytes);
  }

  /** Mixes new entropy in, none if `seed` is empty. */
  rerandomize(seed: Uint8Array, info: Uint8Array): void {
    const output = expand(sha512, this.state, info, 2 * stateBytes);
    const material = joinBytes([output.subarray(0, stateBytes), seed]);
    const next = extract(sha512, material, output.subarray(stateBytes));
    this.state.set(next);
    for (const bytes of [output, material, next]) bytes.fill(0);
  }
}
