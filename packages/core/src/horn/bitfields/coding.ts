/**
 * An encoding of a bitfield for the wire. A bitfield has one bit per validator, the first in bit 0 of the first byte.
 * Zeros pad it to a whole number of bytes. Both sides know its length.
 */
export interface BitfieldCoding {
  readonly name: string;
  encode(bitfield: Uint8Array, bits: number): Uint8Array;
  /** Decodes a peer's bytes. Returns undefined if they do not encode a bitfield of this many bits. */
  decode(code: Uint8Array, bits: number): Uint8Array | undefined;
  /** Returns the maximum length of an encoding, bytes. */
  worstBytes(bits: number): number;
}

/** Returns the length of a bitfield without coding, bytes. */
export function bitfieldBytes(bits: number): number {
  return Math.ceil(bits / 8);
}

/** Returns a bit of a bitfield. */
export function bitAt(bitfield: Uint8Array, index: number): number {
  return (bitfield[index >>> 3]! >>> (index & 7)) & 1;
}

/** Sets a bit of a bitfield. */
export function setBit(bitfield: Uint8Array, index: number): void {
  bitfield[index >>> 3]! |= 1 << (index & 7);
}

/**
 * Appends an integer less than 2^31 with seven bits per byte, lowest first. The high bit is set on all bytes except the
 * last.
 */
export function writeVarint(value: number, out: number[]): void {
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80);
  out.push(rest);
}

/** Returns the number of bytes that {@link writeVarint} writes. */
export function varintBytes(value: number): number {
  return value < 0x80 ? 1 : 1 + varintBytes(value >>> 7);
}

/**
 * Decodes a peer's integer of at most 28 bits. Returns undefined if it is longer, truncated or not in its shortest
 * form.
 */
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

/**
 * Encodes the lengths of the runs of equal bits, ones first. The coding is simple, and short if votes are missing in
 * runs. If every second vote is missing, the encoding is eight times as long as the bitfield.
 */
export const runLengthCoding: BitfieldCoding = {
  name: 'run-length',

  encode(bitfield, bits) {
    const out: number[] = [];
    let value = 1;
    let run = 0;
    for (let index = 0; index < bits; index++) {
      if (bitAt(bitfield, index) === value) {
        run++;
        continue;
      }
      writeVarint(run, out);
      value ^= 1;
      run = 1;
    }
    writeVarint(run, out);
    return Uint8Array.from(out);
  },

  decode(code, bits) {
    const bitfield = new Uint8Array(bitfieldBytes(bits));
    let value = 1;
    let index = 0;
    let offset = 0;
    do {
      const run = readVarint(code, offset);
      if (run === undefined || run.value > bits - index) return undefined;
      // Only the first run may be empty, and only if the first bit is zero.
      if (run.value === 0 && offset > 0) return undefined;
      if (value === 1) for (let one = index; one < index + run.value; one++) setBit(bitfield, one);
      index += run.value;
      value ^= 1;
      offset = run.end;
    } while (index < bits);
    return offset === code.length ? bitfield : undefined;
  },

  worstBytes: (bits) => bits + 1,
};
