import fc from 'fast-check';
import { expect, it } from 'vitest';
import { popcount, readUint, writeUint } from './bytes.ts';

it('writeUint is big-endian, like DataView', () => {
  const bytes = new Uint8Array(6).fill(9);
  writeUint(bytes, 1, 5, 0xfeedbeef);
  expect(new DataView(bytes.buffer).getUint32(1)).toBe(0xfeedbeef);
  expect([bytes[0], bytes[5]]).toEqual([9, 9]);
});

it('readUint decodes the output of writeUint, up to 2^48 - 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (value) => {
      const bytes = new Uint8Array(8);
      writeUint(bytes, 1, 7, value);
      expect(readUint(bytes, 1, 7)).toBe(value);
    }),
  );
});

it('counts the one bits of 32-bit integers, signed or unsigned', () => {
  const count = (value: number): number => [...(value >>> 0).toString(2)].filter((digit) => digit === '1').length;
  for (const value of [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 0x55555555, 0xaaaaaaaa]) {
    expect(popcount(value), String(value)).toBe(count(value));
  }
  fc.assert(
    fc.property(fc.integer(), (value) => {
      expect(popcount(value)).toBe(count(value));
    }),
    { numRuns: 1000 },
  );
});
