/**
 * An encoding of a bitfield for the wire. A bitfield has one bit per validator, with the first validator in bit 0 of
 * the first byte. Zeros pad a bitfield to a whole number of bytes. Both sides know the length of the bitfield.
 */
export interface BitfieldCoding {
  readonly name: string;
  encode(bitfield: Uint8Array, bits: number): Uint8Array;
  /** Decodes a peer's bytes. Returns undefined if the bytes do not encode a bitfield with this number of bits. */
  decode(code: Uint8Array, bits: number): Uint8Array | undefined;
  /** Returns the maximum length of an encoding, bytes. */
  worstBytes(bits: number): number;
}

/** Returns the length of an unencoded bitfield, bytes. */
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
 * Appends an integer less than 2^28 with seven bits per byte, lowest bits first. The high bit is set on all bytes
 * except the last.
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
 * Decodes a peer's integer of at most 28 bits. Returns undefined if the integer is longer than 28 bits, truncated, or
 * not in its shortest form.
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
 * Encodes the lengths of the runs of equal bits, starting with a run of ones. The encoding is simple, and it is short
 * if votes are missing in runs. If every second vote is missing, the encoding is eight times as long as the bitfield.
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
      if (value === 1) for (let bit = index; bit < index + run.value; bit++) setBit(bitfield, bit);
      index += run.value;
      value ^= 1;
      offset = run.end;
    } while (index < bits);
    return offset === code.length ? bitfield : undefined;
  },

  worstBytes: (bits) => bits + 1,
};

/**
 * Maximum number of low bits of a gap that the encoding contains verbatim. The encoding contains the higher part of a
 * gap in unary (Rice coding).
 */
const maxLowBits = 20;

/** Flag in the first byte, next to the number of low bits: the encoding lists the ones instead of the zeros. */
const onesListed = 0x80;

/**
 * Encodes the positions of the rarer bit value as gaps in Rice coding with the best parameter. The length of the
 * encoding is close to the entropy of a random bitfield. The encoding exceeds the bitfield at most by the header,
 * because the encoding without low bits is the bitfield itself.
 */
export const sparseCoding: BitfieldCoding = {
  name: 'sparse',

  encode(bitfield, bits) {
    const rarer = rarerBit(bitfield, bits);
    const gaps = gapsBefore(rarer, bitfield, bits);
    const lowBits = bestLowBits(gaps);
    const head: number[] = [(rarer === 1 ? onesListed : 0) | lowBits];
    writeVarint(gaps.length, head);
    const out = new Uint8Array(head.length + Math.ceil(riceBits(gaps, lowBits) / 8));
    out.set(head);
    const body = out.subarray(head.length);
    let at = 0;
    for (const gap of gaps) {
      at += gap >>> lowBits;
      setBit(body, at++);
      for (let bit = 0; bit < lowBits; bit++, at++) if (((gap >>> bit) & 1) === 1) setBit(body, at);
    }
    return out;
  },

  decode(code, bits) {
    const first = code[0];
    const count = readVarint(code, 1);
    if (first === undefined || count === undefined || count.value > bits) return undefined;
    const lowBits = first & ~onesListed;
    if (lowBits > maxLowBits) return undefined;
    const body = code.subarray(count.end);
    const listed = new Uint8Array(bitfieldBytes(bits));
    const end = body.length * 8;
    let at = 0;
    let index = 0;
    for (let place = 0; place < count.value; place++) {
      let gap = 0;
      while (at < end && bitAt(body, at) === 0) {
        gap++;
        at++;
      }
      at++;
      if (at + lowBits > end) return undefined;
      gap *= 2 ** lowBits;
      for (let bit = 0; bit < lowBits; bit++, at++) gap += bitAt(body, at) << bit;
      index += gap;
      if (index >= bits) return undefined;
      setBit(listed, index++);
    }
    if (Math.ceil(at / 8) !== body.length) return undefined;
    for (; at < end; at++) if (bitAt(body, at) === 1) return undefined;
    return (first & onesListed) !== 0 ? listed : inverted(listed, bits);
  },

  worstBytes: (bits) => 1 + varintBytes(bits >>> 1) + bitfieldBytes(bits),
};

function rarerBit(bitfield: Uint8Array, bits: number): number {
  let ones = 0;
  for (let index = 0; index < bits; index++) ones += bitAt(bitfield, index);
  return 2 * ones <= bits ? 1 : 0;
}

/** Returns the number of other bits between each bit with the given value and the previous such bit. */
function gapsBefore(value: number, bitfield: Uint8Array, bits: number): number[] {
  const gaps: number[] = [];
  let gap = 0;
  for (let index = 0; index < bits; index++) {
    if (bitAt(bitfield, index) !== value) {
      gap++;
      continue;
    }
    gaps.push(gap);
    gap = 0;
  }
  return gaps;
}

function bestLowBits(gaps: readonly number[]): number {
  let best = 0;
  for (let lowBits = 1; lowBits <= maxLowBits; lowBits++) {
    if (riceBits(gaps, lowBits) < riceBits(gaps, best)) best = lowBits;
  }
  return best;
}

function riceBits(gaps: readonly number[], lowBits: number): number {
  return gaps.reduce((sum, gap) => sum + (gap >>> lowBits) + 1 + lowBits, 0);
}

function inverted(bitfield: Uint8Array, bits: number): Uint8Array {
  const out = new Uint8Array(bitfield.length);
  for (let index = 0; index < bits; index++) if (bitAt(bitfield, index) === 0) setBit(out, index);
  return out;
}
