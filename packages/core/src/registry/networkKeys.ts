/** Length of an X25519 key, secret or public, bytes (RFC 7748). */
export const networkKeyBytes = 32;

/** The prime 2^255 - 19, the modulus of X25519's coordinates. */
const prime = 2n ** 255n - 19n;

/**
 * Returns the key as X25519 reads it (RFC 7748, section 5): without the highest bit, which X25519 ignores, and reduced
 * modulo the prime. Keys with the same result are the same key.
 *
 * @param publicKey 32 bytes, little-endian.
 */
export function canonicalNetworkKey(publicKey: Uint8Array): Uint8Array {
  const coordinate = coordinateOf(publicKey);
  return Uint8Array.from({ length: networkKeyBytes }, (_, at) => Number((coordinate >> BigInt(8 * at)) & 0xffn));
}

function coordinateOf(publicKey: Uint8Array): bigint {
  let coordinate = 0n;
  for (let at = networkKeyBytes - 1; at >= 0; at--) coordinate = (coordinate << 8n) | BigInt(publicKey[at]!);
  return (coordinate & (2n ** 255n - 1n)) % prime;
}

/**
 * Coordinates of the points of low order: points of order 2, 4 and 8 on Curve25519 and of order 4 on its twist. The
 * shared secret with such a point is 0 for every secret key, so any observer could compute it.
 */
const lowOrder: readonly bigint[] = [
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  prime - 1n,
];

/**
 * Returns whether a public key is a point of low order.
 *
 * @param publicKey 32 bytes.
 * @throws RangeError for any other length.
 */
export function isWeakNetworkKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== networkKeyBytes)
    throw new RangeError(`publicKey: expected ${networkKeyBytes} bytes, got ${publicKey.length}`);
  return lowOrder.includes(coordinateOf(publicKey));
}
