import { expect, it } from 'vitest';
import { fitLine, percentile, percentiles } from './statistics.ts';

it('points on a line give this line and explain all variance', () => {
  const fit = fitLine([1, 2, 5, 9].map((x) => [x, 3 + 2 * x]));
  expect(fit).toMatchObject({
    slope: expect.closeTo(2, 12),
    intercept: expect.closeTo(3, 12),
    r2: expect.closeTo(1, 12),
  });
  expect(fit.at(100)).toBeCloseTo(203, 9);
});

it('the first sample of Anscombe (1973) gives 3 + 0.5 x, R² 0.67', () => {
  const xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const fit = fitLine(xs.map((x, index) => [x, ys[index]!]));
  expect(fit.slope).toBeCloseTo(0.5, 3);
  expect(fit.intercept).toBeCloseTo(3, 2);
  expect(fit.r2).toBeCloseTo(0.667, 2);
});

it('points on a horizontal line give this line and explain all variance', () => {
  expect(
    fitLine([
      [0, 4],
      [1, 4],
    ]),
  ).toMatchObject({ slope: 0, intercept: 4, r2: 1 });
});

it('a percentile is the smallest value that at least this share of the values does not exceed', () => {
  for (const count of [1, 2, 7, 100]) {
    const sorted = Float64Array.from({ length: count }, (_, index) => 3 * index);
    for (let percent = 0; percent <= 100; percent++) {
      const smallest = sorted.find((value) => 100 * sorted.filter((one) => one <= value).length >= percent * count);
      expect(percentile(sorted, percent / 100)).toBe(smallest);
    }
  }
  expect(percentile([], 0.5)).toBeUndefined();
  expect(() => percentile([1], 1.1)).toThrow('share: expected a number from 0 to 1, got 1.1');
});

it('percentiles accept values in any order, and are null for none', () => {
  expect(percentiles([9, 1, 5, 3])).toEqual({ p50: 3, p90: 9, p99: 9 });
  expect(percentiles([])).toBeNull();
});
