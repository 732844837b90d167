/** A mean over independent samples, and how far it may be off; NaN without samples. */
export interface MeanEstimate {
  readonly samples: number;
  readonly mean: number;
  /**
   * The mean's own standard deviation, estimated from that of the samples; infinite where fewer than two say nothing of
   * it.
   */
  readonly standardError: number;
  /** The largest sample. */
  readonly most: number;
}

/** Collects samples one by one, without losing small differences of large sums (Welford). */
export class MeanEstimator {
  #samples = 0;
  #mean = 0;
  #squares = 0;
  #most = Number.NEGATIVE_INFINITY;

  add(value: number): void {
    this.#samples++;
    const off = value - this.#mean;
    this.#mean += off / this.#samples;
    this.#squares += off * (value - this.#mean);
    this.#most = Math.max(this.#most, value);
  }

  estimate(): MeanEstimate {
    const standardError =
      this.#samples < 2 ? Number.POSITIVE_INFINITY : Math.sqrt(this.#squares / (this.#samples - 1) / this.#samples);
    const mean = this.#samples === 0 ? Number.NaN : this.#mean;
    return { samples: this.#samples, mean, standardError, most: this.#most };
  }
}
