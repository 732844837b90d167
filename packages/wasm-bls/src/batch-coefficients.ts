import { requireLength } from './arguments.ts';

/**
 * Bytes of a coefficient of a batch: 64 bits, so that one attempt at a forgery in 2^63 succeeds, and whoever fails is known. The
 * coefficients' length is most of what a claim costs in a batch.
 */
export const COEFFICIENT_BYTES = 8;

/** What Web Crypto gives at a call (Web Cryptography, section 10.1.1). */
const MAX_RANDOM_BYTES = 65_536;

/** Randomness for a batch of so many claims, from the system's generator. */
export function randomCoefficients(claims: number): Uint8Array {
  const bytes = new Uint8Array(claims * COEFFICIENT_BYTES);
  for (let at = 0; at < bytes.length; at += MAX_RANDOM_BYTES)
    crypto.getRandomValues(bytes.subarray(at, at + MAX_RANDOM_BYTES));
  return bytes;
}

/**
 * The coefficients that some randomness stands for: itself, but 1 for a zero, under which its claim would not be looked at.
 *
 * @throws TypeError or RangeError unless there are 8 bytes a claim.
 */
export function coefficientsOf(randomness: Uint8Array, claims: number): Uint8Array {
  requireLength('randomness', randomness, claims * COEFFICIENT_BYTES);
  const coefficients = Uint8Array.from(randomness);
  for (let at = 0; at < coefficients.length; at += COEFFICIENT_BYTES)
    if (coefficients.subarray(at, at + COEFFICIENT_BYTES).every((byte) => byte === 0)) coefficients[at] = 1;
  return coefficients;
}
