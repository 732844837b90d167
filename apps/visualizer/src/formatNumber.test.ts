import fc from 'fast-check';
import { expect, it } from 'vitest';
import { count, megabytes, ms, percent, seconds, spelled } from './formatNumber.ts';

it('count formats a number like the browser', () => {
  // Browsers write a minus sign before zero, and round 1.15 up although its binary value is slightly less.
  const isOdd = (value: number) => Object.is(value, -0) || /\.\d5$/.test(String(value));
  const browsers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.double({ min: -1e12, max: 1e12, noNaN: true })), (value) => {
      fc.pre(!isOdd(value));
      expect(count(value)).toBe(browsers.format(value));
    }),
  );
  expect([-0, 0.25, 1.15, 9.95, 999.96].map(count)).toEqual(['0', '0.3', '1.1', '9.9', '1,000']);
});

it('percent is 0 or 100 only for exact values', () => {
  const parts = [
    [0, 10],
    [1, 1000],
    [1, 2],
    [9999, 10_000],
    [7, 7],
    [0, 0],
  ] as const;
  expect(parts.map(([of, all]) => percent(of, all).replace('\u00a0%', ''))).toEqual(['0', '1', '50', '99', '100', '–']);
});

it.each([
  [0, 'No'],
  [13, 'Thirteen'],
  [19, 'Nineteen'],
  [20, 'Twenty'],
  [64, 'Sixty-four'],
  [99, 'Ninety-nine'],
  [1024, '1,024'],
])('%i is spelled %s', (value, words) => expect(spelled(value)).toBe(words));

it('times and sizes have fixed decimals, and times their unit', () => {
  expect([ms(143_250), seconds(12_345_678), megabytes(2_092_544)]).toEqual(['143.3\u00a0ms', '12.35\u00a0s', '2.09']);
});
