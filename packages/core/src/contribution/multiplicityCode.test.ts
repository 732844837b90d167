import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiplicityCodeBytes, readMultiplicities, writeMultiplicities } from './multiplicities.ts';

describe("Horn, 'Aggregation with four-bit integer vectors': the vector on the wire", () => {
  it('has four times the length of a bitfield: 16,384 bytes for a committee, 8 MB for all collections', () => {
    expect(multiplicityCodeBytes(32_768)).toBe(4 * 4096);
    expect(512 * multiplicityCodeBytes(32_768)).toBe(8_388_608);
    expect([1, 2, 3, 13, 17].map(multiplicityCodeBytes)).toEqual([1, 1, 2, 7, 9]);
  });

  it('has the first validator in the low half of the first byte', () => {
    expect(writeMultiplicities(Uint8Array.of(2, 1, 15))).toEqual(Uint8Array.of(0x12, 0x0f));
  });

  it('a decoded vector encodes to the received bytes, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), fc.integer({ min: 1, max: 12 }), (bytes, members) => {
        const read = readMultiplicities(bytes, members);
        if (read.ok) expect(writeMultiplicities(read.counts)).toEqual(bytes);
      }),
      { numRuns: 1000 },
    );
  });
});
