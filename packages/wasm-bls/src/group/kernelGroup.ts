import * as kernel from '../../kernel/tutti_bls.js';
import { misuse, requireDomain } from '../arguments.ts';
import { startKernel } from '../kernelModule.ts';
import { publicKeyPointBytes } from '../suite.ts';
import { type G1Group, infinities } from './group.ts';

/** Returns scalars in the kernel's form: little-endian, each with the number of bytes of the longest. */
function packed(scalars: readonly bigint[]): { bytes: Uint8Array; bits: number } {
  const longest = scalars.reduce((max, scalar) => (scalar > max ? scalar : max), 1n);
  const bits = longest.toString(2).length;
  const length = Math.ceil(bits / 8);
  const bytes = new Uint8Array(scalars.length * length);
  for (const [i, scalar] of scalars.entries()) {
    let rest = scalar;
    for (let at = i * length; rest !== 0n; at += 6) {
      let low = Number(rest & 0xffff_ffff_ffffn);
      for (let j = 0; low !== 0; j++, low = Math.floor(low / 256)) bytes[at + j] = low % 256;
      rest >>= 48n;
    }
  }
  return { bytes, bits };
}

/** Checks a result of the kernel, which is empty if a point is invalid. */
function requirePoints(answer: Uint8Array): Uint8Array {
  if (answer.length === 0) throw misuse(RangeError, 'points', 'uncompressed points of G1', 'an invalid point');
  return answer;
}

const kernelG1: G1Group = {
  name: 'blst-wasm',

  decode(bytes) {
    const answer = kernel.decode_public_key(bytes);
    return answer.length === publicKeyPointBytes ? answer : undefined;
  },

  hash(message, domain) {
    requireDomain(domain);
    return kernel.hash_to_g1(message, domain);
  },

  combine(points, scalars) {
    if (scalars.length === 0) return infinities(1);
    const { bytes, bits } = packed(scalars);
    return requirePoints(kernel.combine_g1(points, bytes, bits));
  },

  fold(points, scalar) {
    const { bytes, bits } = packed([scalar]);
    return requirePoints(kernel.fold_g1(points, bytes, bits));
  },
};

/**
 * Loads G1 on blst, compiled to WebAssembly.
 *
 * @throws BlsLoadError if the kernel cannot be read or started.
 */
export async function loadKernelG1(): Promise<G1Group> {
  await startKernel();
  return kernelG1;
}
