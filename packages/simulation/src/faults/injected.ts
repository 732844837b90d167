import type { FaultKind } from '../scenario/faultPlan.ts';

/** What can be counted of a fault plan at work. */
export type Injected = FaultKind | 'missed';

/**
 * What a plan did so far: nodes that crashed, restarted or paused, or whose clocks are wrong; messages that were lost,
 * cut off by a partition, doubled, held back, corrupted or slowed; verifications that were slowed; and messages missed
 * by nodes that were down.
 */
export class InjectedCounts {
  readonly #counts = new Map<Injected, number>();

  count(what: Injected): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  toRecord(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
