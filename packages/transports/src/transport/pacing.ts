/** Wait after the first failed attempt, ms. Each further failure doubles the wait. */
const firstRetryMs = 100;
/** Maximum wait after a failed attempt, ms. */
const maxRetryMs = 5000;

/** Decides when to repeat a failed attempt. The class has no timer: callers ask whether an attempt is due. */
export class Backoff {
  #failures = 0;
  #retryAtMs = 0;

  /** Returns whether the next attempt must wait because of a recent failure. */
  waiting(nowMs: number): boolean {
    return nowMs < this.#retryAtMs;
  }

  /** Returns the time until the next attempt is allowed, ms; 0 if it is allowed now. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#retryAtMs - nowMs);
  }

  /** Whether the last attempt failed. */
  get failing(): boolean {
    return this.#failures > 0;
  }

  onFailure(nowMs: number): void {
    this.#retryAtMs = nowMs + Math.min(firstRetryMs * 2 ** this.#failures, maxRetryMs);
    this.#failures++;
  }

  onSuccess(): void {
    this.#failures = 0;
    this.#retryAtMs = 0;
  }
}

/**
 * A token bucket with a maximum burst and a refill rate per second. The bucket owns no clock: callers pass the time as
 * an argument.
 */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  /** Time up to which {@link #tokens} includes the accrued tokens, ms. */
  #countedMs: number;

  /** Creates a full bucket. */
  constructor(perSecond: number, burst: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#countedMs = nowMs;
  }

  /** Spends `amount` tokens if they are available. Returns whether the tokens were available. */
  spend(amount: number, nowMs: number): boolean {
    if (!this.has(amount, nowMs)) return false;
    this.#tokens -= amount;
    return true;
  }

  /** Returns whether `amount` tokens are available. */
  has(amount: number, nowMs: number): boolean {
    const accrued = (Math.max(0, nowMs - this.#countedMs) * this.#perSecond) / 1000;
    this.#tokens = Math.min(this.#burst, this.#tokens + accrued);
    this.#countedMs = Math.max(this.#countedMs, nowMs);
    return this.#tokens >= amount;
  }

  /** Returns whether the bucket is as full as a new one. */
  isFull(nowMs: number): boolean {
    return this.has(this.#burst, nowMs);
  }
}
