import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** Bytes as lower-case hexadecimal digits, two a byte. */
export const toHex: (bytes: Uint8Array) => string = bytesToHex;

/** Bytes from exactly `byteLength` bytes of hexadecimal digits; undefined for anything else. */
export function fromHex(text: unknown, byteLength: number): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length !== 2 * byteLength || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  return hexToBytes(text);
}
