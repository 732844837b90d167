import { RandomStream } from '@tutti/core';
import { expect, it } from 'vitest';
import { MeanEstimator } from '../../statistics.ts';

function estimateOf(values: readonly number[]) {
  const estimator = new MeanEstimator();
  for (const value of values) estimator.add(value);
  return estimator.estimate();
}

it('is the mean, with the standard error by definition', () => {
  const { samples, mean, standardError, most } = estimateOf([2, 4, 4, 6]);
  expect({ samples, mean, most }).toEqual({ samples: 4, mean: 4, most: 6 });
  expect(standardError).toBeCloseTo(Math.sqrt(8 / 3 / 4), 12);
});

it('is exact with a large offset', () => {
  const random = new RandomStream(1, 'estimate');
  const values = Array.from({ length: 1000 }, () => random.nextUnit());
  expect(estimateOf(values.map((value) => value + 2 ** 30)).standardError).toBeCloseTo(
    estimateOf(values).standardError,
    6,
  );
});

it('has no error for one sample, and is undefined for none', () => {
  expect(estimateOf([3])).toEqual({ samples: 1, mean: 3, standardError: Number.POSITIVE_INFINITY, most: 3 });
  expect(estimateOf([]).mean).toBeNaN();
});
