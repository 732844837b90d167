import { expect, it } from 'vitest';
import { megabytes, percent, seconds } from './words.ts';

it('seconds are written to a hundredth', () => {
  expect(seconds(12_345_678)).toBe('12.35\u00a0s');
});

it('percent is 0 or 100 only for exact values', () => {
  expect([
    percent(0, 10),
    percent(1, 1000),
    percent(1, 2),
    percent(9999, 10_000),
    percent(7, 7),
    percent(0, 0),
  ]).toEqual(['0\u00a0%', '1\u00a0%', '50\u00a0%', '99\u00a0%', '100\u00a0%', '–']);
});

it('megabytes are 10^6 bytes', () => {
  expect(megabytes(2_092_544)).toBe('2.09');
});
