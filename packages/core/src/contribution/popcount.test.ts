import fc from 'fast-check';
import { expect, it } from 'vitest';
import { popcount } from './popcount.ts';

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
