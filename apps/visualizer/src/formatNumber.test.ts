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
  const shares = [0, 1, 5000, 9999, 10_000].map((of) => percent(of, 10_000).replace('\u00a0%', ''));
  expect([...shares, percent(0, 0)]).toEqual(['0', '1', '50', '99', '100', '–']);
});

it('numbers below one hundred are spelled in words', () => {
  const words = ['No', 'Thirteen', 'Nineteen', 'Twenty', 'Sixty-four', 'Ninety-nine', '1,024'];
  expect([0, 13, 19, 20, 64, 99, 1024].map(spelled)).toEqual(words);
});

it('times and sizes have fixed decimals, and times their unit', () => {
  expect([ms(143_250), seconds(12_345_678), megabytes(2_092_544)]).toEqual(['143.3\u00a0ms', '12.35\u00a0s', '2.09']);
});
