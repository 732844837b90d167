import { expect, it } from 'vitest';
import { megabytes, seconds } from './words.ts';

it('seconds are written to a hundredth', () => {
  expect(seconds(12_345_678)).toBe('12.35\u00a0s');
});

it('megabytes are 10^6 bytes', () => {
  expect(megabytes(2_092_544)).toBe('2.09');
});
