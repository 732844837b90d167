import { requireFunction } from '@tutti/core/input';

/** Wait after the first failed attempt, ms. Each further failure doubles the wait, up to a maximum. */
const firstRetryMs = 100;
const longestRetryMs = 5000;

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
    this.#retryAtMs = nowMs + Math.min(firstRetryMs * 2 ** this.#failures, longestRetryMs);
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
  readonly #atOnce: number;
  #left: number;
  #asOfMs: number;

  constructor(perSecond: number, atOnce: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#atOnce = atOnce;
    this.#left = atOnce;
    this.#asOfMs = nowMs;
  }

  /** Spends `amount` tokens if they are available. Returns whether the tokens were available. */
  spend(amount: number, nowMs: number): boolean {
    if (this.#earned(nowMs) < amount) return false;
    this.#left -= amount;
    return true;
  }

  /** Returns whether `amount` tokens are available. */
  has(amount: number, nowMs: number): boolean {
    return this.#earned(nowMs) >= amount;
  }

  /** Returns whether the bucket is as full as a new one. */
  isFull(nowMs: number): boolean {
    return this.has(this.#atOnce, nowMs);
  }

  /** Returns the number of available tokens, including those accrued since the last call. */
  #earned(nowMs: number): number {
    const earned = (Math.max(0, nowMs - this.#asOfMs) * this.#perSecond) / 1000;
    this.#left = Math.min(this.#atOnce, this.#left + earned);
    this.#asOfMs = Math.max(this.#asOfMs, nowMs);
    return this.#left;
  }
}

const scheduled: (task: () => void) => void =
  typeof setImmediate === 'function' ? (task) => void setImmediate(task) : byMessage();

/**
 * Runs a task in a later turn of the event loop, in first-in-first-out order, without the delay of a timer. The
 * function uses `setImmediate` if available, and otherwise a message to itself, as browsers support.
 */
export function inLaterTurn(task: () => void): void {
  requireFunction('task', task);
  scheduled(task);
}

function byMessage(): (task: () => void) => void {
  const tasks: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  Object.assign(port1, { onmessage: () => tasks.shift()!() });
  return (task) => {
    tasks.push(task);
    port2.postMessage(undefined);
  };
}
