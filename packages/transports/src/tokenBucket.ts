/**
 * How much one may do: so much at once, and so much a second from then on. It owns no clock: the time is an argument.
 */
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

  /** Spends `amount` if there is so much; says whether there was. */
  spend(amount: number, nowMs: number): boolean {
    if (this.#earned(nowMs) < amount) return false;
    this.#left -= amount;
    return true;
  }

  /** Whether there is so much to spend. */
  has(amount: number, nowMs: number): boolean {
    return this.#earned(nowMs) >= amount;
  }

  /** Whether nothing is missing, as in a bucket that is new. */
  isFull(nowMs: number): boolean {
    return this.has(this.#atOnce, nowMs);
  }

  /** What is left, with what was earned up to now. */
  #earned(nowMs: number): number {
    const earned = (Math.max(0, nowMs - this.#asOfMs) * this.#perSecond) / 1000;
    this.#left = Math.min(this.#atOnce, this.#left + earned);
    this.#asOfMs = Math.max(this.#asOfMs, nowMs);
    return this.#left;
  }
}
