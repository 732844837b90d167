import { expect, it } from 'vitest';
import { summaryOf } from './statistics.ts';

it('a summary by weight ranks each value by its weight', () => {
  expect(summaryOf([3, 1, 2], [1, 1, 18])).toEqual({ mean: 2, min: 1, p10: 2, p90: 2, max: 3 });
});

it('refuses weights whose number differs from that of the values', () => {
  expect(() => summaryOf([1, 2], [1])).toThrow(new RangeError('weights: expected 2, one per value, got 1'));
});
