import type { Fault, Scenario } from '@tutti/simulation';

/** What can be done to nodes in the middle of a run. */
export const breaks = ['stop', 'pause', 'cut off', 'slow', 'lie'] as const;
export type Break = (typeof breaks)[number];

/** How many times as long a node that is slowed down takes to check. */
export const slowFactor = 10;

/**
 * The scenario in which something breaks at a moment: until then its run is the same as before, event by event. So a
 * branch is a link. Nodes that stop for good do not count as live, and the threshold is a share of the live nodes: so a
 * branch in which nodes stop needs fewer contributions from the very beginning, and may give outputs earlier.
 *
 * @param nodes ids, at least one.
 * @param forMs how long a pause or a partition lasts.
 */
export function forked(
  scenario: Scenario,
  what: Break,
  nodes: readonly number[],
  atUs: number,
  forMs: number,
): Scenario {
  const atMs = atUs / 1000;
  const faults = [...scenario.faults, faultOf(what, nodes, atMs, forMs)];
  // Authenticated channels drop what is altered on its way; but a lie has to be read and found out.
  return what === 'lie' ? { ...scenario, faults, authenticated: false } : { ...scenario, faults };
}

function faultOf(what: Break, nodes: readonly number[], atMs: number, forMs: number): Fault {
  switch (what) {
    case 'stop':
      return { kind: 'crash', nodes, atMs };
    case 'pause':
      return { kind: 'pause', nodes, atMs, forMs };
    case 'cut off':
      return { kind: 'partition', nodes, atMs, forMs };
    case 'slow':
      return { kind: 'slow-nodes', nodes, factor: slowFactor, atMs };
    case 'lie':
      return { kind: 'corruption', share: 1, of: 'signature', from: nodes, atMs };
  }
}
