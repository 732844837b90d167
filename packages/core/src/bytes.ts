/** Returns the parts, one after another. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns the bytes of a text that has ASCII characters only. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns the unsigned big-endian integer in bytes [start, end). It must be under 2^48. */
export function readUint(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 256 + bytes[at]!;
  return value;
}

/** Writes an unsigned big-endian integer, which must fit, into bytes [start, end). */
export function writeUint(bytes: Uint8Array, start: number, end: number, value: number): void {
  let rest = value;
  for (let at = end - 1; at >= start; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}
