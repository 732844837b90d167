/**
 * Bytes of a coefficient of a batch: 64 bits, so that one attempt at a forgery in 2^63 succeeds, and whoever fails is
 * known. The coefficients' length is most of what a claim costs in a batch.
 */
export const coefficientBytes = 8;

/** What Web Crypto gives at a call (Web Cryptography, section 10.1.1). */
const maxRandomBytes = 65_536;

/**
 * Coefficients for a check of this many claims, from the system's generator, little-endian: drawn here rather than by a
 * caller, since whoever can foresee them can make false claims that cancel. A drawn zero, under which its claim would
 * not be looked at, is 1.
 */
export function drawCoefficients(claims: number): Uint8Array {
  const bytes = new Uint8Array(claims * coefficientBytes);
  for (let at = 0; at < bytes.length; at += maxRandomBytes)
    crypto.getRandomValues(bytes.subarray(at, at + maxRandomBytes));
  for (let at = 0; at < bytes.length; at += coefficientBytes)
    if (bytes.subarray(at, at + coefficientBytes).every((byte) => byte === 0)) bytes[at] = 1;
  return bytes;
}
