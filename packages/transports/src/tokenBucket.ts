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
    const earned = (Math.max(0, nowMs - this.#asOfMs) * this.#perSecond) / 1000;
    this.#left = Math.min(this.#atOnce, this.#left + earned);
    this.#asOfMs = Math.max(this.#asOfMs, nowMs);
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }
}
