import { describe, expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import { confidenceInterval, fitLine, percentile, percentiles } from './statistics.ts';

it.each([0, 2])('points on a line of slope %i give this line and explain all variance', (slope) => {
  const fit = fitLine([1, 2, 5, 9].map((x) => [x, 3 + slope * x]));
  expect([fit.slope, fit.intercept, fit.r2]).toEqual([slope, 3, 1].map((value) => expect.closeTo(value, 12)));
  expect(fit.at(100)).toBeCloseTo(3 + 100 * slope, 9);
});

it('the first sample of Anscombe (1973) gives 3 + 0.5 x, R² 0.67', () => {
  const xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const fit = fitLine(xs.map((x, index) => [x, ys[index]!]));
  expect(fit.slope).toBeCloseTo(0.5, 3);
  expect(fit.intercept).toBeCloseTo(3, 2);
  expect(fit.r2).toBeCloseTo(0.667, 2);
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

describe('confidenceInterval', () => {
  it.each([
    { values: [1, 2, 3, 4, 5], half: (2.776 * Math.sqrt(2.5)) / Math.sqrt(5) },
    { values: [2, 4], half: 12.706 },
    { values: [3, 3, 3], half: 0 },
  ])('of $values is $half around the mean', ({ values, half }) => {
    const { low, high } = confidenceInterval(values)!;
    expect((low + high) / 2).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length);
    expect((high - low) / 2).toBeCloseTo(half);
  });

  it('uses the 97.5 % quantile of Student', () => {
    // Probability of a value within t, computed with Simpson's rule: the area within t, divided by the total area. The
    // substitution x = tan(u) makes the range finite.
    const within = (t: number, degrees: number) => {
      const density = (u: number) => (1 + Math.tan(u) ** 2 / degrees) ** (-(degrees + 1) / 2) / Math.cos(u) ** 2;
      const area = (to: number, steps = 2000) => {
        let sum = 0;
        for (let step = 0; step <= steps; step++)
          sum += (step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2) * density((to * step) / steps);
        return (sum * to) / (3 * steps);
      };
      return area(Math.atan(t)) / area(Math.PI / 2 - 1e-6);
    };
    for (const count of [...upTo(32).slice(2), 32, 61, 200]) {
      const { low, high } = confidenceInterval(upTo(count))!;
      const error = Math.sqrt((count * (count + 1)) / 12 / count);
      expect(within((high - low) / 2 / error, count - 1), `${count} values`).toBeCloseTo(0.95, 3);
    }
  });

  it.each([[[]], [[7]]])('is undefined for %j', (values) => expect(confidenceInterval(values)).toBeUndefined());
});
