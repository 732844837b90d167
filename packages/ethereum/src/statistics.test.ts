import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomial, MeanEstimator, summaryOf, wilsonInterval } from './statistics.ts';

it('a summary by weight ranks each value by its weight', () => {
  expect(summaryOf([3, 1, 2], [1, 1, 18])).toEqual({ mean: 2, min: 1, p10: 2, p90: 2, max: 3 });
});

it('refuses weights whose number differs from that of the values', () => {
  expect(() => summaryOf([1, 2], [1])).toThrow(new RangeError('weights: expected 2, one per value, got 1'));
});

describe('the binomial distribution', () => {
  it('equals counting for small parameters', () => {
    expect([...binomial(2, 0.5)]).toEqual([0.25, 0.5, 0.25]);
    expect(binomial(3, 1 / 3)[1]).toBeCloseTo(12 / 27, 14);
  });

  it('sums to 1 with its mean and variance, for any size and probability', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, chance) => {
        const probabilities = [...binomial(trials, chance)];
        const moment = (of: (count: number) => number) =>
          probabilities.reduce((sum, probability, count) => sum + probability * of(count), 0);
        expect(moment(() => 1)).toBeCloseTo(1, 12);
        expect(moment((count) => count) / trials).toBeCloseTo(chance, 10);
        expect(moment((count) => (count - trials * chance) ** 2) / trials).toBeCloseTo(chance * (1 - chance), 7);
      }),
    );
  });
});

it('the interval of a probability is defined if the event never occurred, or always', () => {
  expect(wilsonInterval(0, 1000)[0]).toBe(0);
  expect(wilsonInterval(0, 1000)[1]).toBeCloseTo(3.29 ** 2 / (1000 + 3.29 ** 2), 12);
  expect(wilsonInterval(1000, 1000)[1]).toBe(1);
});

it('the interval of a probability consists of the probabilities from which the count is 3.29 standard deviations away', () => {
  for (const count of [1, 30, 500, 999]) {
    for (const chance of wilsonInterval(count, 1000)) {
      const deviation = Math.sqrt((chance * (1 - chance)) / 1000);
      expect(Math.abs(count / 1000 - chance) / deviation).toBeCloseTo(3.29, 8);
    }
  }
});

function estimateOf(values: readonly number[]) {
  const estimator = new MeanEstimator();
  for (const value of values) estimator.add(value);
  return estimator.estimate();
}

it('is the mean, with the standard error by definition', () => {
  const { samples, mean, standardError, max } = estimateOf([2, 4, 4, 6]);
  expect({ samples, mean, max }).toEqual({ samples: 4, mean: 4, max: 6 });
  expect(standardError).toBeCloseTo(Math.sqrt(8 / 3 / 4), 12);
});

it('has no error for one sample, and is undefined for none', () => {
  expect(estimateOf([3])).toEqual({ samples: 1, mean: 3, standardError: Number.POSITIVE_INFINITY, max: 3 });
  expect(estimateOf([]).mean).toBeNaN();
});
