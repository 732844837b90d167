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

/** Checks that a list has at least one entry. @throws RangeError for an empty list; TypeError for any other value. */
export function requireSome(label: string, list: readonly unknown[]): void {
  requireArray(label, list);
  if (list.length === 0) throw new RangeError(`${label}: expected at least one, got none`);
}

/**
 * Summarises at least one value. Each percentile is one of the values (nearest rank).
 *
 * @param weights positive weights, one per value. Default: equal weights.
 * @throws RangeError without a value, or if the numbers of values and weights differ.
 */
export function summaryOf(values: readonly number[], weights?: readonly number[]): Summary {
  requireSome('values', values);
  if (weights !== undefined) requireArray('weights', weights);
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
  // A sum of equal values may differ by one unit in the last place.
  const sum = sorted.reduce((all, { value, weight }) => all + value * weight, 0);
  const mean = Math.min(max, Math.max(min, sum / total));
  return { mean, min, p10: rank(0.1), p90: rank(0.9), max };
}

/**
 * Returns whether one interval from p10 to p90 lies entirely above another. A ranking is stated only for intervals that
 * do not overlap.
 */
export function isAbove(a: Summary, b: Summary): boolean {
  requireObject('a', a);
  requireObject('b', b);
  return a.p10 > b.p90;
}

/**
 * Returns the probabilities of 0 to `trials` successes. The probabilities are computed outwards from the most likely
 * count and then normalised, so that no relevant probability underflows.
 *
 * @param trials integer of at least 0. @param chance probability of one success, 0 to 1.
 */
export function binomial(trials: number, chance: number): Float64Array {
  const likeliest = Math.min(trials, Math.floor((trials + 1) * chance));
  const weights = new Float64Array(trials + 1);
  weights[likeliest] = 1;
  for (let count = likeliest; count < trials; count++) {
    weights[count + 1] = (weights[count]! * (trials - count) * chance) / ((count + 1) * (1 - chance));
  }
  for (let count = likeliest; count > 0; count--) {
    weights[count - 1] = (weights[count]! * count * (1 - chance)) / ((trials - count + 1) * chance);
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Half-width of a 99.9 % interval, in standard deviations. */
export const deviations = 3.29;

/**
 * Returns the 99.9 % interval for the probability of an event that occurred `count` times in `trials` (Wilson's score
 * interval). The interval is also valid if the event never occurred. `trials` is at least 1.
 */
export function wilsonInterval(count: number, trials: number): readonly [min: number, max: number] {
  const share = count / trials;
  const square = deviations ** 2 / trials;
  const centre = (share + square / 2) / (1 + square);
  const half = Math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square);
  return [count === 0 ? 0 : centre - half, count === trials ? 1 : centre + half];
}

/** A mean over independent samples and its standard error. */
export interface MeanEstimate {
  readonly samples: number;
  /** Mean; NaN without samples. */
  readonly mean: number;
  /**
   * Standard error of the mean, estimated from the samples' standard deviation; infinite for fewer than two samples.
   */
  readonly standardError: number;
  /** Largest sample; minus infinity without samples. */
  readonly max: number;
}

/** Collects samples one by one, without losing precision in large sums (Welford). */
export class MeanEstimator {
  #samples = 0;
  #mean = 0;
  #squares = 0;
  #max = Number.NEGATIVE_INFINITY;

  add(value: number): void {
    this.#samples++;
    const off = value - this.#mean;
    this.#mean += off / this.#samples;
    this.#squares += off * (value - this.#mean);
    this.#max = Math.max(this.#max, value);
  }

  estimate(): MeanEstimate {
    const standardError =
      this.#samples < 2 ? Number.POSITIVE_INFINITY : Math.sqrt(this.#squares / (this.#samples - 1) / this.#samples);
    const mean = this.#samples === 0 ? Number.NaN : this.#mean;
    return { samples: this.#samples, mean, standardError, max: this.#max };
  }
}
