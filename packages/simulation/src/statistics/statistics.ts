import { expected, requireArray, requireInteger, requireNumber } from '@tutti/core/input';

/** A least-squares line through points, and the share of the points' variance that the line explains. */
export interface Fit {
  readonly slope: number;
  readonly intercept: number;
  /** Coefficient of determination, R^2; 1 if the points lie on the line. */
  readonly r2: number;
  at(x: number): number;
}

/**
 * Fits a line to points by least squares.
 *
 * @param points at least two with different x.
 * @throws RangeError for fewer than two points with different x.
 */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Fit {
  requireArray('points', points);
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
    yy += (y - meanY) ** 2;
  }
  if (!(xx > 0)) throw new RangeError(expected('points', 'at least two points with different x', count));
  const slope = xy / xx;
  const intercept = meanY - slope * meanX;
  return { slope, intercept, r2: yy === 0 ? 1 : (xy * xy) / (xx * yy), at: (x) => intercept + slope * x };
}

/**
 * Returns the nearest-rank index of a percentile in an ascending list: the index of the smallest value that at least
 * this share of the values do not exceed.
 *
 * @param count number of values, at least 1. @param share the percentile as a share, 0 to 1.
 */
export function nearestRank(count: number, share: number): number {
  requireInteger('count', count, 1, Number.MAX_SAFE_INTEGER);
  requireNumber('share', share, 0, 1);
  // The product may have a rounding error in the last place: 0.07 of 100 values must be 7.
  return Math.max(0, Math.ceil(share * count - 1e-9) - 1);
}

/**
 * Returns the smallest value that at least the given share of the values does not exceed; undefined if there are no
 * values.
 *
 * @param sorted values in ascending order. @param share 0 to 1.
 */
export function percentile(sorted: ArrayLike<number>, share: number): number | undefined {
  requireList('sorted', sorted);
  const { length } = sorted;
  return length === 0 ? undefined : sorted[nearestRank(length, share)];
}

/** Checks that an argument is an array or a typed array. */
function requireList(label: string, list: unknown): void {
  if (!ArrayBuffer.isView(list)) requireArray(label, list);
}

/** Percentiles 50, 90 and 99 of a list: the values that 50 %, 90 % and 99 % of all values do not exceed. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Returns the values that 50 %, 90 % and 99 % of the given values do not exceed; null if there are no values. */
export function percentiles(values: ArrayLike<number>): Percentiles | null {
  requireList('values', values);
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => percentile(sorted, share)!;
  return sorted.length === 0 ? null : { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

/** The 95 % confidence interval of a mean. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantiles of Student's t for 1, 2, ... degrees of freedom. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/**
 * Returns the 97.5 % quantile of Student's t: from the table, or for more than 30 degrees of freedom by the first terms
 * of its expansion around the normal distribution's quantile z = 1.96: z + (z^3 + z) / (4 * freedom), which is less than
 * 0.005 too small.
 */
function quantileOf(freedom: number): number {
  return quantiles[freedom - 1] ?? 1.96 + 2.372 / freedom;
}

/**
 * Returns the 95 % confidence interval of the mean of independent values, by Student's t. The interval assumes a normal
 * distribution.
 *
 * @param values one per seed. @returns undefined for fewer than two values, which have no variance.
 */
export function confidenceInterval(values: readonly number[]): Interval | undefined {
  requireArray('values', values);
  const count = values.length;
  if (count < 2) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = quantileOf(count - 1) * Math.sqrt(variance / count);
  return { low: mean - half, high: mean + half };
}
