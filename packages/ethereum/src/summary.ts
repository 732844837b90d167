import { requireArray, requireObject } from '@tutti/core/input';
import { percentile } from '@tutti/simulation';

/** Summary of a quantity over nodes that could propose, over seeds, or over both. */
export interface Summary {
  readonly mean: number;
  readonly min: number;
  readonly p10: number;
  readonly p90: number;
  readonly max: number;
}

/** Summarises at least one value; percentiles are values that occur (nearest rank). */
export function summaryOf(values: readonly number[]): Summary {
  requireArray('values', values);
  if (values.length === 0) throw new RangeError('values: expected at least one, got none');
  const sorted = Float64Array.from(values).sort();
  const [min, max] = [sorted[0]!, sorted.at(-1)!];
  // A sum of equal values may be off by a unit of the last place.
  const mean = Math.min(max, Math.max(min, sorted.reduce((sum, value) => sum + value, 0) / sorted.length));
  return { mean, min, p10: percentile(sorted, 0.1)!, p90: percentile(sorted, 0.9)!, max };
}

/** Returns whether one interval from p10 to p90 lies wholly above another. Only then is a ranking stated. */
export function isAbove(a: Summary, b: Summary): boolean {
  requireObject('a', a);
  requireObject('b', b);
  return a.p10 > b.p90;
}
