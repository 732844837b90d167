import { requireBytes } from './arguments.ts';

const digits = asciiBytes('0123456789abcdef');
/** Maximum number of character codes in one call of `String.fromCharCode`. */
const codesAtOnce = 4096;

/**
 * Returns bytes as lower-case hexadecimal digits, two per byte. The function builds the text in long pieces, because
 * appending the digits one by one takes ten times the memory.
 */
export function toHex(bytes: Uint8Array): string {
  requireBytes('bytes', bytes);
  const codes = new Uint8Array(2 * bytes.length);
  for (const [at, byte] of bytes.entries()) {
    codes[2 * at] = digits[byte >> 4]!;
    codes[2 * at + 1] = digits[byte & 15]!;
  }
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += codesAtOnce)
    parts.push(String.fromCharCode(...codes.subarray(at, at + codesAtOnce)));
  return parts.join('');
}

/**
 * Reads hexadecimal digits, two per byte.
 *
 * @param byteLength expected length of the result in bytes. Default: any length.
 * @returns undefined for invalid input: a character that is not a hexadecimal digit, the wrong length, or an odd number
 * of digits.
 */
export function fromHex(text: unknown, byteLength?: number): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  if (byteLength !== undefined && text.length !== 2 * byteLength) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/** Returns the concatenation of the parts. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns the bytes of an ASCII text. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns the unsigned big-endian integer in bytes [start, end). The integer must be less than 2^48. */
export function readUint(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 256 + bytes[at]!;
  return value;
}

/** Writes an unsigned big-endian integer into bytes [start, end). The integer must fit into these bytes. */
export function writeUint(bytes: Uint8Array, start: number, end: number, value: number): void {
  let rest = value;
  for (let at = end - 1; at >= start; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** Returns the number of one bits in a 32-bit integer (Warren, Hacker's Delight, 5-1). */
export function popcount(value: number): number {
  let x = value - ((value >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
