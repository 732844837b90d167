import { Field } from '@noble/curves/abstract/modular.js';
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { secretKeyBytes } from '@tutti/wasm-bls/kernel';

/** The integers modulo r, the order of G1: multiplicities, challenges and weights of the succinct proof. */
export const Fr = Field(0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n);

/** Encodes a scalar in 32 bytes, big-endian. */
export function scalarBytes(scalar: bigint): Uint8Array {
  return numberToBytesBE(scalar, secretKeyBytes);
}

/** Decodes a scalar from 32 bytes; undefined for a number of r or more, so that each scalar has one encoding. */
export function readScalar(bytes: Uint8Array): bigint | undefined {
  const scalar = bytesToNumberBE(bytes);
  return scalar < Fr.ORDER ? scalar : undefined;
}

/** Returns the first `count` powers of a base: 1, base, base^2, ... */
export function powers(base: bigint, count: number): bigint[] {
  const all = new Array<bigint>(count);
  for (let i = 0, power = 1n; i < count; i++, power = Fr.mul(power, base)) all[i] = power;
  return all;
}

/** Returns the inner product <a, b> modulo r. */
export function innerProduct(a: readonly bigint[], b: readonly bigint[]): bigint {
  return Fr.create(a.reduce((sum, value, i) => sum + value * b[i]!, 0n));
}
