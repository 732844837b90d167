import type { Scenario, Spread } from '@tutti/simulation';
import { spread } from '@tutti/simulation/engine';
import type { SweepPlan } from './plan.ts';
import type { SweepResult } from './resultFile.ts';

/**
 * Summarised results of one combination of the varied values. Minimum, mean and maximum are taken over the
 * combination's seeds. Counts per node are the mean over the live nodes of each run.
 */
export interface SweepGroup {
  readonly scenario: Omit<Scenario, 'seed'>;
  /** Number of finished runs. */
  readonly seeds: number;
  readonly live: Spread;
  readonly reached: Spread;
  /** Time to the threshold over the runs in which some node reached it, ms; null without such a run. */
  readonly timeToThresholdMs: Spread | null;
  /** Times by which 50 %, 90 % and 99 % of the nodes that reached the threshold in each run had reached it, ms. */
  readonly p50Ms: Spread | null;
  readonly p90Ms: Spread | null;
  readonly p99Ms: Spread | null;
  /** Time at which the last node of each run reached the threshold, ms. */
  readonly slowestMs: Spread | null;
  readonly messagesSent: Spread;
  readonly bytesSent: Spread;
  readonly checked: Spread;
}

/**
 * Returns the results of the plan's combinations, in the plan's order. Combinations without a finished run are omitted.
 */
export function summarize(plan: SweepPlan, tally: Tally): SweepGroup[] {
  return plan.groups.flatMap(({ seed: _, ...scenario }, index) => {
    const runs = tally.figures(index * plan.seedCount, plan.seedCount);
    if (runs.length === 0) return [];
    const over = (field: keyof TalliedRun) => spread(runs.map((run) => run[field]));
    const timed = runs.filter((run) => run.reached > 0);
    const overTimed = (field: keyof TalliedRun) => (timed.length === 0 ? null : spread(timed.map((run) => run[field])));
    return {
      scenario,
      seeds: runs.length,
      live: over('live'),
      reached: over('reached'),
      timeToThresholdMs: overTimed('timeToThresholdMs'),
      p50Ms: overTimed('p50Ms'),
      p90Ms: overTimed('p90Ms'),
      p99Ms: overTimed('p99Ms'),
      slowestMs: overTimed('slowestMs'),
      messagesSent: over('messagesSent'),
      bytesSent: over('bytesSent'),
      checked: over('checked'),
    };
  });
}

/** Figures of a run that the summary needs, in the same units. */
type TalliedRun = Readonly<Record<Exclude<keyof SweepGroup, 'scenario' | 'seeds'>, number>>;

/**
 * Finished points of a plan, with their figures. Every point counts once, even if its result is added several times.
 */
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

  /** Number of finished points. */
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
   * @returns false for a point of another plan, and for a point that has a result already.
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

  /** Returns the finished runs among the points [first, first + count) in the plan's order. */
  figures(first: number, count: number): TalliedRun[] {
    return this.#figures.slice(first, first + count).filter((one) => one !== undefined);
  }
}
