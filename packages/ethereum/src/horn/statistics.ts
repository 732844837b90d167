/**
 * Returns the probabilities of 0 to `trials` successes. They are computed outwards from the most likely count and then
 * normalised, so that no relevant probability underflows.
 *
 * @param chance probability of one success, 0 to 1.
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
const deviations = 3.29;

/**
 * Returns the 99.9 % interval for the probability of an event that happened `count` times in `trials` (Wilson's score
 * interval). It is also valid if the event never happened.
 */
export function wilsonInterval(count: number, trials: number): readonly [least: number, most: number] {
  const share = count / trials;
  const square = deviations ** 2 / trials;
  const centre = (share + square / 2) / (1 + square);
  const half = Math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square);
  return [count === 0 ? 0 : centre - half, count === trials ? 1 : centre + half];
}

/** A mean over independent samples and its standard error; NaN without samples. */
export interface MeanEstimate {
  readonly samples: number;
  readonly mean: number;
  /**
   * Standard error of the mean, estimated from the samples' standard deviation; infinite for fewer than two samples.
   */
  readonly standardError: number;
  /** The largest sample. */
  readonly most: number;
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
    return { samples: this.#samples, mean, standardError, most: this.#max };
  }
}
