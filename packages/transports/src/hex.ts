import { hexToBytes } from '@noble/hashes/utils.js';
import { requireBytes } from './arguments.ts';

const digits = new TextEncoder().encode('0123456789abcdef');
const decoder = new TextDecoder();

/**
 * Bytes as lower-case hexadecimal digits, two a byte. Made at once: put together digit by digit, a hash that is kept
 * takes ten times its length, as a chain of halves.
 */
export function toHex(bytes: Uint8Array): string {
  requireBytes('bytes', bytes);
  const codes = new Uint8Array(2 * bytes.length);
  for (const [at, byte] of bytes.entries()) {
    codes[2 * at] = digits[byte >> 4]!;
    codes[2 * at + 1] = digits[byte & 15]!;
  }
  return decoder.decode(codes);
}

/**
 * Reads hexadecimal digits, two per byte.
 *
 * @param byteLength of the result; any length where it is not given.
 * @returns undefined for anything else: another character, another length, or an odd number of digits.
 */
export function fromHex(text: unknown, byteLength?: number): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  if (byteLength !== undefined && text.length !== 2 * byteLength) return undefined;
  return hexToBytes(text);
}
