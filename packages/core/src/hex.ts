import { requireBytes } from './arguments.ts';
import { asciiBytes } from './bytes.ts';

const digits = asciiBytes('0123456789abcdef');
/** Character codes that one call of `String.fromCharCode` takes. */
const codesAtOnce = 4096;

/**
 * Returns bytes as lower-case hexadecimal digits, two per byte. The text is made in long pieces: a text that is put
 * together digit by digit takes ten times its length in memory.
 */
export function toHex(bytes: Uint8Array): string {
  requireBytes('bytes', bytes);
  const codes = new Uint8Array(2 * bytes.length);
  for (const [at, byte] of bytes.entries()) {
    codes[2 * at] = digits[byte >> 4]!;
    codes[2 * at + 1] = digits[byte & 15]!;
  }
  if (codes.length <= codesAtOnce) return String.fromCharCode(...codes);
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += codesAtOnce)
    parts.push(String.fromCharCode(...codes.subarray(at, at + codesAtOnce)));
  return parts.join('');
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
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
