import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, figure, megabytes, ms, percent, seconds, spelled } from './formatNumber.ts';

it.each([
  [0, '0'],
  [0.04, '0'],
  [0.05, '0.1'],
  [9.95, '9.9'],
  [999, '999'],
  [999.96, '1,000'],
  [7200, '7,200'],
  [1_234_567.8, '1,234,567.8'],
  [1e9, '1,000,000,000'],
])('%d is written to one decimal, in groups of three digits: %s', (value, text) => {
  expect(count(value)).toBe(text);
  expect(figure(value)).toBe(text);
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

it('seconds are written to a hundredth', () => {
  expect(seconds(12_345_678)).toBe('12.35\u00a0s');
});

it('megabytes are 10^6 bytes', () => {
  expect(megabytes(2_092_544)).toBe('2.09');
});

describe('spelled', () => {
  it.each([
    [0, 'No'],
    [8, 'Eight'],
    [13, 'Thirteen'],
    [17, 'Seventeen'],
    [18, 'Eighteen'],
    [19, 'Nineteen'],
    [20, 'Twenty'],
    [64, 'Sixty-four'],
    [99, 'Ninety-nine'],
    [100, '100'],
    [1024, '1,024'],
  ])('%i is %s', (value, words) => expect(spelled(value)).toBe(words));
});

describe('count', () => {
  // A browser writes a minus before zero, and rounds 1.15 up, although its binary value is slightly less.
  const isOdd = (value: number) => Object.is(value, -0) || /\.\d5$/.test(String(value));

  it('formats a number like the browser', () => {
    const browsers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double({ min: -1e12, max: 1e12, noNaN: true })), (value) => {
        fc.pre(!isOdd(value));
        expect(count(value)).toBe(browsers.format(value));
      }),
    );
    expect([0, 999.95, 1000, 1_234_567.89].map(count)).toEqual(['0', '1,000', '1,000', '1,234,567.9']);
    expect([-0, 0.25, -0.75, 1.15].map(count)).toEqual(['0', '0.3', '-0.8', '1.1']);
  });
});

describe('ms', () => {
  it('joins a number and its unit by a no-break space', () => expect(ms(143_250)).toBe('143.3\u00a0ms'));
});

describe('figure', () => {
  it('groups digits by three', () => expect([0, 1024, 65_536].map(figure)).toEqual(['0', '1,024', '65,536']));
});
