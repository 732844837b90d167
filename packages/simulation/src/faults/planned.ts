import { shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/input';
import type { Fault, FaultKind } from '../scenario/faultPlan.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { faultsByNode, type NodeFaults } from './nodeFaults.ts';

/** All faults of a run. */
export interface PlannedFaults {
  readonly all: readonly Fault[];
  /** Faults of each node; nodes without faults have no entry. */
  readonly byNode: ReadonlyMap<number, NodeFaults>;
}

/** Returns all faults of a scenario, and those of each node. */
export function plannedFaults(scenario: Scenario): PlannedFaults {
  const all = allFaults(scenario);
  return { all, byNode: faultsByNode(all, scenario.nodes, scenario.seed) };
}

/**
 * Returns a scenario's fault plan, plus a restart of the nodes that are absent at first. The absent nodes come last in
 * the order in which dead and Byzantine nodes are drawn, so they are neither of the two as long as other nodes remain.
 */
export function allFaults({ faults, absent, absentMs, nodes, seed }: Scenario): readonly Fault[] {
  const count = absent < 1 ? partOf(nodes, absent) : absent;
  if (count === 0) return faults;
  const away = [...shuffle(nodes, seed, 'dead').subarray(nodes - count)];
  return [...faults, { kind: 'restart', nodes: away, atMs: 0, forMs: absentMs, state: 'lost' }];
}

/** Countable effects of a fault plan. */
export type Injected = FaultKind | 'missed';

/**
 * Counts of a plan's effects so far: nodes that crashed, restarted or paused, or whose clocks are wrong; messages that
 * were lost, cut off by a partition, duplicated, delayed, corrupted or slowed; verifications that were slowed; and
 * messages not received because the node was down.
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
