/** First wait after a failed attempt, ms. Each further failure doubles it, up to a maximum. */
const firstRetryMs = 100;
const longestRetryMs = 5000;

/** Decides when to repeat a failed attempt. It has no timer: callers ask whether an attempt is due. */
export class Backoff {
  #failures = 0;
  #retryAtMs = 0;

  /** Returns whether the next attempt has to wait, because one failed recently. */
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
    this.#retryAtMs = nowMs + Math.min(firstRetryMs * 2 ** this.#failures, longestRetryMs);
    this.#failures++;
  }

  onSuccess(): void {
    this.#failures = 0;
    this.#retryAtMs = 0;
  }
}
