import { expect, it } from 'vitest';
import { TokenBucket } from './pacing.ts';

it('grants the burst at once, then the rate per second', () => {
  const bucket = new TokenBucket(10, 3, 0);
  expect([1, 2, 3, 4].map(() => bucket.spend(1, 0))).toEqual([true, true, true, false]);
  expect([bucket.spend(1, 99), bucket.spend(1, 100), bucket.spend(1, 199)]).toEqual([false, true, false]);
});

it('saves at most one burst', () => {
  const bucket = new TokenBucket(10, 2, 0);
  expect([1, 2, 3].map(() => bucket.spend(1, 60_000))).toEqual([true, true, false]);
});

it('a clock that goes back earns no tokens twice', () => {
  const bucket = new TokenBucket(1000, 1, 0);
  expect(bucket.spend(1, 10)).toBe(true);
  expect(bucket.spend(1, 5)).toBe(false);
  expect(bucket.spend(1, 10)).toBe(false);
});
