/** Delays of messages from publication to verification by their recipients. */
export class DelayTally {
  /** Number of delays by millisecond. */
  readonly #counts: number[] = [];
  #sumUs = 0;
  #count = 0;

  add(delayUs: number): void {
    const bin = Math.floor(delayUs / 1000);
    while (this.#counts.length <= bin) this.#counts.push(0);
    this.#counts[bin]!++;
    this.#sumUs += delayUs;
    this.#count++;
  }

  get count(): number {
    return this.#count;
  }

  /** Mean delay, ms; 0 without delays, like {@link percentileMs}. */
  get meanMs(): number {
    return this.#count === 0 ? 0 : this.#sumUs / this.#count / 1000;
  }

  /** Returns a percentile of the delays, ms, rounded to half a millisecond. */
  percentileMs(percent: number): number {
    let left = (this.#count * percent) / 100;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      left -= this.#counts[bin]!;
      if (left <= 0) return this.#count === 0 ? 0 : bin + 0.5;
    }
    return 0;
  }
}

/** Width of the bins of a {@link PaceTally}, µs. Four bins make the one-second window for bursts. */
const binUs = 250_000;
const binsOfBurst = 4;

/** Number of receptions per quarter of a second, from which the busiest second is determined. */
export class PaceTally {
  readonly #counts: number[] = [];
  #count = 0;

  add(atUs: number): void {
    const bin = Math.floor(atUs / binUs);
    while (this.#counts.length <= bin) this.#counts.push(0);
    this.#counts[bin]!++;
    this.#count++;
  }

  /** Share of all receptions in the busiest second; 0 without receptions. */
  get busiestShare(): number {
    let max = 0;
    let sum = 0;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      sum += this.#counts[bin]! - (this.#counts[bin - binsOfBurst] ?? 0);
      max = Math.max(max, sum);
    }
    return this.#count === 0 ? 0 : max / this.#count;
  }
}
