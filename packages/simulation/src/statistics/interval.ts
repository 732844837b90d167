import { requireArray } from '@tutti/core/settings';

/** Where a mean lies with 95 % confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of Student's t for 1, 2, ... degrees of freedom. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const normalQuantile = 1.96;

/**
 * The 95 % confidence interval of the mean that independent values are drawn around, by Student's t: it assumes that
 * they are normally distributed.
 *
 * @param values one a seed. @returns undefined for a single value, which says nothing about the spread.
 */
export function confidenceInterval(values: readonly number[]): Interval | undefined {
  requireArray('values', values);
  const count = values.length;
  if (count < 2) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = (quantiles[count - 2] ?? normalQuantile) * Math.sqrt(variance / count);
  return { low: mean - half, high: mean + half };
}
