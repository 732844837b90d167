/** A token bucket with a burst and a rate per second. It owns no clock: the time is an argument. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #atOnce: number;
  #left: number;
  #asOfMs: number;

  constructor(perSecond: number, atOnce: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#atOnce = atOnce;
    this.#left = atOnce;
    this.#asOfMs = nowMs;
  }

  /** Spends `amount` if it is available. Returns whether it was available. */
  spend(amount: number, nowMs: number): boolean {
    if (this.#earned(nowMs) < amount) return false;
    this.#left -= amount;
    return true;
  }

  /** Returns whether this amount is available. */
  has(amount: number, nowMs: number): boolean {
    return this.#earned(nowMs) >= amount;
  }

  /** Returns whether the bucket is full, like a new one. */
  isFull(nowMs: number): boolean {
    return this.has(this.#atOnce, nowMs);
  }

  /** Returns the available amount, including what has accrued until now. */
  #earned(nowMs: number): number {
    const earned = (Math.max(0, nowMs - this.#asOfMs) * this.#perSecond) / 1000;
    this.#left = Math.min(this.#atOnce, this.#left + earned);
    this.#asOfMs = Math.max(this.#asOfMs, nowMs);
    return this.#left;
  }
}
