/** The first wait after a failed attempt; each further failure doubles it, up to the longest. */
const firstRetryMs = 100;
const longestRetryMs = 5000;

/** When to try again what has failed. It has no timer: who wants something asks whether it is time. */
export class Backoff {
  #failures = 0;
  #retryAtMs = 0;

  /** Whether an attempt failed so lately that the next has to wait. */
  waiting(nowMs: number): boolean {
    return nowMs < this.#retryAtMs;
  }

  /** How long the next attempt has to wait, ms; 0 when it need not. */
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
