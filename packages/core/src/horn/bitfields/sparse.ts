import { type BitfieldCoding, bitAt, bitfieldBytes, readVarint, setBit, varintBytes, writeVarint } from './coding.ts';

/** Maximum number of low bits of a gap that are written verbatim. The higher part is written in unary (Rice coding). */
const maxLowBits = 20;

/** Flag in the first byte, next to the number of low bits: the encoding lists the ones, not the zeros. */
const onesListed = 0x80;

/**
 * Encodes the positions of the rarer bit value as gaps in Rice coding with the best parameter. The length is close to
 * the entropy of a random bitfield. It exceeds the bitfield at most by the header, because the encoding without low
 * bits is the bitfield itself.
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
    return (first & onesListed) !== 0 ? listed : inverted(listed, bits);
  },

  worstBytes: (bits) => 1 + varintBytes(bits >>> 1) + bitfieldBytes(bits),
};

function rarerBit(bitfield: Uint8Array, bits: number): number {
  let ones = 0;
  for (let index = 0; index < bits; index++) ones += bitAt(bitfield, index);
  return 2 * ones <= bits ? 1 : 0;
}

/** Returns, for each bit with the given value, the number of other bits between it and the previous one. */
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
