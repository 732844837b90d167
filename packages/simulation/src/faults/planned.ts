import { shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/settings';
import type { Fault } from '../scenario/faultPlan.ts';
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
