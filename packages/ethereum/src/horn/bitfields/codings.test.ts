import { RandomStream } from '@tutti/core';
import { bitAt, bitfieldBytes, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileBitfields, randomBitfield } from '../bitfields.ts';

const anyBitfield = fc
  .record({
    bits: fc.oneof(fc.constantFrom(1, 2, 3, 8, 13, 17, 512, 1025), fc.integer({ min: 1, max: 3000 })),
    share: fc.constantFrom(0, 0.01, 0.3, 0.5, 0.7, 0.95, 0.999, 1),
    seed: fc.nat(),
  })
  .map(({ bits, share, seed }) => ({
    bits,
    bitfield: randomBitfield(bits, Math.round(bits * share), new RandomStream(seed, 'any')),
  }));

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

  it('decodes every bitfield of up to eight bits', () => {
    for (let bits = 1; bits <= 8; bits++) {
      for (let value = 0; value < 1 << bits; value++) {
        const bitfield = Uint8Array.of(value);
        expect(coding.decode(coding.encode(bitfield, bits), bits)).toEqual(bitfield);
      }
    }
  });

  it('encodes worst-case bitfields within its maximum length', () => {
    for (const { name, make } of hostileBitfields) {
      const bitfield = make(32_768, new RandomStream(1, name));
      const code = coding.encode(bitfield, 32_768);
      expect(coding.decode(code, 32_768), name).toEqual(bitfield);
      expect(code.length, name).toBeLessThanOrEqual(coding.worstBytes(32_768));
    }
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

describe('lengths', () => {
  it('run-length coding has its maximum length if every other vote is missing', () => {
    const alternating = new Uint8Array(4096).fill(0b10101010);
    expect(runLengthCoding.encode(alternating, 32_768).length).toBe(32_769);
    expect(runLengthCoding.worstBytes(32_768)).toBe(32_769);
  });

  it('sparse coding has at most the bitfield and its header', () => {
    const half = randomBitfield(32_768, 16_384, new RandomStream(1, 'half'));
    expect(sparseCoding.encode(half, 32_768).length).toBe(sparseCoding.worstBytes(32_768));
    expect(sparseCoding.worstBytes(32_768)).toBe(4096 + 4);
  });

  it('full and empty bitfields have almost no bytes', () => {
    for (const byte of [0, 0xff]) {
      const bitfield = new Uint8Array(4096).fill(byte);
      expect(runLengthCoding.encode(bitfield, 32_768).length).toBeLessThanOrEqual(4);
      expect(sparseCoding.encode(bitfield, 32_768).length).toBe(2);
    }
  });
});
