/** How long messages took from being published to being verified by who waits for them. */
export class DelayTally {
  /** By the millisecond. */
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

  /** 0 if there are none, like {@link percentileMs}. */
  get meanMs(): number {
    return this.#count === 0 ? 0 : this.#sumUs / this.#count / 1000;
  }

  /** To half a millisecond. */
  percentileMs(percent: number): number {
    let left = (this.#count * percent) / 100;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      left -= this.#counts[bin]!;
      if (left <= 0) return this.#count === 0 ? 0 : bin + 0.5;
    }
    return 0;
  }
}

/** Bins of a {@link PaceTally}, of which four make the second that bursts are over. */
const binUs = 250_000;
const binsOfBurst = 4;

/** How many receptions fall into which quarter of a second, to see the busiest second. */
export class PaceTally {
  readonly #counts: number[] = [];
  #count = 0;

  add(atUs: number): void {
    const bin = Math.floor(atUs / binUs);
    while (this.#counts.length <= bin) this.#counts.push(0);
    this.#counts[bin]!++;
    this.#count++;
  }

  /** The share of all receptions that falls into the busiest second; 0 if there are none. */
  get busiestShare(): number {
    let most = 0;
    let sum = 0;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      sum += this.#counts[bin]! - (this.#counts[bin - binsOfBurst] ?? 0);
      most = Math.max(most, sum);
    }
    return this.#count === 0 ? 0 : most / this.#count;
  }
}
