/** CRC of each byte, using the reversed polynomial of IEEE 802.3. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/**
 * Returns the CRC-32, as in gzip (RFC 1952, section 8). The CRC-32 detects accidental damage, but not deliberate
 * changes.
 *
 * @returns an unsigned 32-bit integer.
 */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) rest = crcTable[(rest ^ bytes[at]!) & 0xff]! ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
