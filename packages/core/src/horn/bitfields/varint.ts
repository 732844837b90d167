/** Appends an integer under 2^31, seven bits a byte, the lowest first, the high bit set on all bytes but the last. */
export function writeVarint(value: number, out: number[]): void {
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80);
  out.push(rest);
}

/** Bytes that {@link writeVarint} takes. */
export function varintBytes(value: number): number {
  return value < 0x80 ? 1 : 1 + varintBytes(value >>> 7);
}

/** Reads a peer's integer of at most 28 bits; undefined when it is longer, cut short or not in its shortest form. */
export function readVarint(bytes: Uint8Array, offset: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return byte === 0 && index > 0 ? undefined : { value, end: offset + index + 1 };
  }
  return undefined;
}
