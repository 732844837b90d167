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

/**
 * Summarises at least one value. Percentiles are values that occur (nearest rank).
 *
 * @param weights positive weights, one per value. Default: equal weights.
 * @throws RangeError without a value, or if the numbers of values and weights differ.
 */
export function summaryOf(values: readonly number[], weights?: readonly number[]): Summary {
  requireArray('values', values);
  if (weights !== undefined) requireArray('weights', weights);
  if (values.length === 0) throw new RangeError('values: expected at least one, got none');
  if (weights !== undefined && weights.length !== values.length)
    throw new RangeError(`weights: expected ${values.length}, one per value, got ${weights.length}`);
  const weighted = values.map((value, at) => ({ value, weight: weights === undefined ? 1 : weights[at]! }));
  const sorted = weighted.sort((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const ascending = Float64Array.from(sorted, ({ value }) => value);
  const [min, max] = [ascending[0]!, ascending.at(-1)!];
  const byWeight = (share: number): number => {
    let below = 0;
    for (const { value, weight } of sorted) {
      below += weight;
      if (below >= share * total) return value;
    }
    return max;
  };
  const rank = weights === undefined ? (share: number) => percentile(ascending, share)! : byWeight;
  // A sum of equal values may be off by one unit in the last place.
  const sum = sorted.reduce((all, { value, weight }) => all + value * weight, 0);
  const mean = Math.min(max, Math.max(min, sum / total));
  return { mean, min, p10: rank(0.1), p90: rank(0.9), max };
}

/** Returns whether one interval from p10 to p90 lies entirely above another. Only then is a ranking stated. */
export function isAbove(a: Summary, b: Summary): boolean {
  requireObject('a', a);
  requireObject('b', b);
  return a.p10 > b.p90;
}
