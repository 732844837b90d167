/**
 * Returns the bytes of a claim's bits that can name keys of a registry, or undefined if a bit beyond the registry is
 * set. A library therefore never gets more bytes than the registry needs, even if a peer appends zeros.
 *
 * @param first - registry index of the first bit.
 */
export function claimedBits(bits: Uint8Array, first: number, registrySize: number): Uint8Array | undefined {
  const reach = Math.max(0, registrySize - first);
  const bytes = Math.ceil(reach / 8);
  for (let i = bits.length - 1; i >= bytes; i--) if (bits[i] !== 0) return undefined;
  if (bits.length < bytes || reach % 8 === 0) return bits.subarray(0, bytes);
  return bits[bytes - 1]! >> (reach % 8) === 0 ? bits.subarray(0, bytes) : undefined;
}
