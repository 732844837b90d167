/**
 * Length of a coefficient of a batch, bytes. With 64 bits, one attempt at a forgery in 2^63 succeeds, and the sender of
 * a failed one is identified. The length of the coefficients is most of a claim's cost in a batch.
 */
export const coefficientBytes = 8;

/** Maximum number of bytes that Web Crypto returns per call (Web Cryptography, section 10.1.1). */
const maxRandomBytes = 65_536;

/**
 * Draws coefficients for a check of this many claims from the system's generator, little-endian. The caller cannot pass
 * them, because a sender that can predict them can make invalid claims that cancel each other out. A zero would skip
 * its claim, so it is replaced with 1.
 */
export function drawCoefficients(claims: number): Uint8Array {
  const bytes = new Uint8Array(claims * coefficientBytes);
  for (let at = 0; at < bytes.length; at += maxRandomBytes)
    crypto.getRandomValues(bytes.subarray(at, at + maxRandomBytes));
  for (let at = 0; at < bytes.length; at += coefficientBytes)
    if (bytes.subarray(at, at + coefficientBytes).every((byte) => byte === 0)) bytes[at] = 1;
  return bytes;
}
