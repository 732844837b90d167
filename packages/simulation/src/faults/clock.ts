/** A node's own clock: off by so much at the common origin, and running at a rate of its own. */
export class FaultyClock {
  readonly #skewUs: number;
  readonly #rate: number;

  /** @param rate the clock's seconds in a true second, over 0. */
  constructor(skewUs: number, rate: number) {
    this.#skewUs = skewUs;
    this.#rate = rate;
  }

  /** What the clock shows at a true time, integer microseconds; negative where it is behind the common origin. */
  shows(trueUs: number): number {
    return this.#skewUs + Math.round(trueUs * this.#rate);
  }

  /** The true time, at least 1 µs, that passes while the clock counts so much. */
  trueDelayUs(delayUs: number): number {
    return Math.max(1, Math.round(delayUs / this.#rate));
  }
}
