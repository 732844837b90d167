import { expect, it } from 'vitest';
import { count, figure, percent } from './formatNumber.ts';

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
