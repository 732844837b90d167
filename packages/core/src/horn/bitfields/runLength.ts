import { type BitfieldCoding, bitAt, bitfieldBytes, setBit } from './coding.ts';
import { readVarint, writeVarint } from './varint.ts';

/**
 * The lengths of the runs of equal bits, ones first. Simple, good where votes are missing in runs, and eight times the
 * bitfield where every other vote is missing.
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
      // Only the first run may be empty: where the first bit is a zero.
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
