import { expect, it } from 'vitest';
import { chanceWords, duration, logShare } from './costTable.ts';

it('a duration has a suitable unit', () => {
  expect([0.0004, 0.05, 1.25, 59.6, 119, 300, 9000].map(duration)).toEqual([
    ...['1 ms', '50 ms', '1.3 s', '60 s', '119 s', '5 min', '2.5 h'],
  ]);
});

it('a probability is written as one in a number', () => {
  expect([0, 1e-12, 1 / 132.4, 0.4, 0.97, 1].map(chanceWords)).toEqual([
    '0',
    'under 1 in 10⁹',
    '1 in 132',
    '1 in 2.5',
    '1 in 1.03',
    'certain',
  ]);
});

it('bars increase with the logarithm', () => {
  expect([1, 10, 100].map((value) => logShare(value, 1, 100))).toEqual([0, 0.5, 1]);
  expect(logShare(4, 4, 4)).toBe(1);
});
