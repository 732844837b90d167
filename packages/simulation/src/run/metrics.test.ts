import { expect, it } from 'vitest';
import { Metrics, spread } from './metrics.ts';

it('spread uses the selected values only', () => {
  const values = [5, 100, 1, 3];
  expect(spread(values, (index) => index !== 1)).toEqual({ min: 1, mean: 3, max: 5 });
  expect(spread(values, () => true, 0.5)).toEqual({ min: 0.5, mean: 27.25 / 2, max: 50 });
  expect(spread([7], () => true)).toEqual({ min: 7, mean: 7, max: 7 });
});

it('spread of no values is zeros', () => {
  expect(spread([], () => true)).toEqual({ min: 0, mean: 0, max: 0 });
  expect(spread([4, 4], () => false)).toEqual({ min: 0, mean: 0, max: 0 });
});

it('no node has reached the threshold at first', () => {
  expect([...new Metrics(3).reachedUs]).toEqual([-1, -1, -1]);
});
