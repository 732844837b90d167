import { shuffle } from '@tutti/core';
import { partOf } from '@tutti/core/internal';
import type { Fault } from '../scenario/faultPlan.ts';
import type { Scenario } from '../scenario/scenario.ts';

/**
 * All that breaks in a run: its fault plan, and the nodes that are absent at first. They come last in the order in
 * which nodes are drawn to be dead or Byzantine, so they are neither as long as there is anybody else.
 */
export function plannedFaults({ faults, absent, absentMs, nodes, seed }: Scenario): readonly Fault[] {
  const count = absent < 1 ? partOf(nodes, absent) : absent;
  if (count === 0) return faults;
  const away = [...shuffle(nodes, seed, 'dead').subarray(nodes - count)];
  return [...faults, { kind: 'restart', nodes: away, atMs: 0, forMs: absentMs, state: 'lost' }];
}
