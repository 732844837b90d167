import { expect, it } from 'vitest';
import { count, figure } from './formatNumber.ts';

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
