import type { SweepPlan } from './plan.ts';
import type { SweepResult } from './result.ts';

/** Figures of a run that the summary needs. */
export interface TalliedRun {
  readonly live: number;
  readonly reached: number;
  readonly timeToThresholdMs: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  readonly messagesSent: number;
  readonly bytesSent: number;
  readonly checked: number;
}

/** Finished points of a plan, with their results. Every point counts once, even if its result arrives several times. */
export class Tally {
  readonly #indexOf = new Map<string, number>();
  readonly #figures: (TalliedRun | undefined)[];
  #done = 0;

  constructor(plan: SweepPlan) {
    plan.points.forEach(({ key }, index) => {
      this.#indexOf.set(key, index);
    });
    this.#figures = new Array(plan.points.length);
  }

  get done(): number {
    return this.#done;
  }

  has(key: string): boolean {
    const index = this.#indexOf.get(key);
    return index !== undefined && this.#figures[index] !== undefined;
  }

  /**
   * Adds a result.
   *
   * @returns false for a result of another plan, and for one that exists already.
   */
  take(result: SweepResult): boolean {
    const index = this.#indexOf.get(result.key);
    if (index === undefined || this.#figures[index] !== undefined) return false;
    const { live, reached, timeToThresholdMs, messagesSent, bytesSent, checked, percentiles } = result;
    const { p50, p90, p99 } = percentiles?.timeToThresholdMs ?? { p50: 0, p90: 0, p99: 0 };
    this.#figures[index] = {
      live,
      reached,
      timeToThresholdMs: timeToThresholdMs.mean,
      p50Ms: p50,
      p90Ms: p90,
      p99Ms: p99,
      slowestMs: timeToThresholdMs.max,
      messagesSent: messagesSent.mean,
      bytesSent: bytesSent.mean,
      checked: checked.mean,
    };
    this.#done++;
    return true;
  }

  /** Returns the finished runs of [first, first + count) in the plan's order. */
  figures(first: number, count: number): TalliedRun[] {
    return this.#figures.slice(first, first + count).filter((one) => one !== undefined);
  }
}
