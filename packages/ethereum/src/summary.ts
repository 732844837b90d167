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
 * @param weights positive weights of the values. Default: equal weights.
 */
export function summaryOf(values: readonly number[], weights?: readonly number[]): Summary {
  requireArray('values', values);
  if (weights !== undefined) requireArray('weights', weights);
  if (values.length === 0) throw new RangeError('values: expected at least one, got none');
  const sorted = values.map((value, at) => ({ value, weight: weights?.[at] ?? 1 })).sort((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  const ranked = sorted.map(({ value, weight }) => {
    below += weight;
    return { value, below };
  });
  const byWeight = (share: number) => ranked.find((one) => one.below >= share * total)?.value ?? ranked.at(-1)!.value;
  const equal = Float64Array.from(sorted, ({ value }) => value);
  const rank = weights === undefined ? (share: number) => percentile(equal, share)! : byWeight;
  const [min, max] = [equal[0]!, equal.at(-1)!];
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
