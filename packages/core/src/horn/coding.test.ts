import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shuffle } from '../random.ts';
import {
  bitAt,
  bitfieldBytes,
  readVarint,
  runLengthCoding,
  setBit,
  sparseCoding,
  varintBytes,
  writeVarint,
} from './coding.ts';

describe('a variable-length integer of seven bits per byte', () => {
  it('decodes to the encoded integer, in the announced number of bytes', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 28 - 1), fc.nat(3), (value, before) => {
        const out = new Array<number>(before).fill(0xff);
        writeVarint(value, out);
        expect(varintBytes(value)).toBe(out.length - before);
        expect(readVarint(Uint8Array.from(out), before)).toEqual({ value, end: out.length });
      }),
    );
  });

  it.each([[[]], [[0x80]], [[0x80, 0]], [[0xff, 0xff, 0xff, 0xff, 1]]])('%j is refused', (bytes) => {
    expect(readVarint(Uint8Array.from(bytes), 0)).toBeUndefined();
  });
});

function randomBitfield(bits: number, share: number, seed: number): Uint8Array {
  const bitfield = new Uint8Array(bitfieldBytes(bits));
  for (const index of shuffle(bits, seed, 'bitfield').subarray(0, Math.round(bits * share))) setBit(bitfield, index);
  return bitfield;
}

const anyBitfield = fc
  .record({
    bits: fc.oneof(fc.constantFrom(1, 2, 3, 8, 13, 17, 512, 1025), fc.integer({ min: 1, max: 3000 })),
    share: fc.constantFrom(0, 0.01, 0.3, 0.5, 0.7, 0.95, 0.999, 1),
    seed: fc.nat(),
  })
  .map(({ bits, share, seed }) => ({ bits, bitfield: randomBitfield(bits, share, seed) }));

describe.each([runLengthCoding, sparseCoding])('the $name coding', (coding) => {
  it('decodes to the encoded bitfield, within its maximum length', () => {
    fc.assert(
      fc.property(anyBitfield, ({ bits, bitfield }) => {
        const code = coding.encode(bitfield, bits);
        expect(coding.decode(code, bits)).toEqual(bitfield);
        expect(code.length).toBeLessThanOrEqual(coding.worstBytes(bits));
      }),
    );
  });

  it('refuses truncated input and trailing bytes', () => {
    fc.assert(
      fc.property(anyBitfield, fc.nat(), ({ bits, bitfield }, cut) => {
        const code = coding.encode(bitfield, bits);
        expect(coding.decode(code.subarray(0, cut % code.length), bits)).toBeUndefined();
        expect(coding.decode(Uint8Array.of(...code, 1), bits)).toBeUndefined();
      }),
    );
  });

  it('never throws and sets no bit beyond the end, for any bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.uint8Array({ maxLength: 14 }), (bits, bytes) => {
        const bitfield = coding.decode(bytes, bits);
        if (bitfield === undefined) return;
        expect(bitfield.length).toBe(bitfieldBytes(bits));
        for (let index = bits; index < 8 * bitfield.length; index++) expect(bitAt(bitfield, index)).toBe(0);
      }),
      { numRuns: 5000 },
    );
  });
});

it('sparse coding refuses a padding bit that is set', () => {
  const code = sparseCoding.encode(Uint8Array.of(0b001), 3);
  const padded = Uint8Array.from(code, (byte, at) => (at === code.length - 1 ? byte | 0x80 : byte));
  expect([code, padded].map((one) => sparseCoding.decode(one, 3))).toEqual([Uint8Array.of(0b001), undefined]);
});

describe('lengths', () => {
  it('run-length coding has its maximum length if every other vote is missing', () => {
    const alternating = new Uint8Array(4096).fill(0b10101010);
    const { length } = runLengthCoding.encode(alternating, 32_768);
    expect([length, runLengthCoding.worstBytes(32_768)]).toEqual([32_769, 32_769]);
  });

  it('sparse coding has at most the bitfield and its header', () => {
    const { length } = sparseCoding.encode(randomBitfield(32_768, 0.5, 1), 32_768);
    expect([length, sparseCoding.worstBytes(32_768)]).toEqual([4096 + 4, 4096 + 4]);
  });

  it.each([0, 0xff])('full and empty bitfields have almost no bytes: %i', (byte) => {
    const bitfield = new Uint8Array(4096).fill(byte);
    expect(runLengthCoding.encode(bitfield, 32_768).length).toBeLessThanOrEqual(4);
    expect(sparseCoding.encode(bitfield, 32_768).length).toBe(2);
  });
});
