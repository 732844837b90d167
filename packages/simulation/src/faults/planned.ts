import { shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/settings';
import type { Fault, FaultKind } from '../scenario/faultPlan.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { faultsByNode, type NodeFaults } from './nodeFaults.ts';

/** All that breaks in a run. */
export interface PlannedFaults {
  readonly all: readonly Fault[];
  /** What of it happens to each node; nothing for the nodes that it leaves alone. */
  readonly byNode: ReadonlyMap<number, NodeFaults>;
}

export function plannedFaults(scenario: Scenario): PlannedFaults {
  const all = allFaults(scenario);
  return { all, byNode: faultsByNode(all, scenario.nodes, scenario.seed) };
}

/**
 * A scenario's fault plan, and the nodes that are absent at first. They come last in the order in which nodes are drawn
 * to be dead or Byzantine, so they are neither as long as there is anybody else.
 */
export function allFaults({ faults, absent, absentMs, nodes, seed }: Scenario): readonly Fault[] {
  const count = absent < 1 ? partOf(nodes, absent) : absent;
  if (count === 0) return faults;
  const away = [...shuffle(nodes, seed, 'dead').subarray(nodes - count)];
  return [...faults, { kind: 'restart', nodes: away, atMs: 0, forMs: absentMs, state: 'lost' }];
}

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
