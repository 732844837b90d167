import { defaultScenario, protocols, type Scenario } from '@tutti/simulation';
import type { Work } from './progress.ts';

/**
 * Returns the number of events in a run if it can be predicted. The error is at most a tenth, from 1,024 nodes on for
 * Handel and from 256 on for the other protocols. The default scenario is predictable with any number of nodes and any
 * seed, also with San Fermín or gossip. Gossip of individual contributions is also predictable with another mesh,
 * network or cost of a verification.
 */
export function expectedEvents(scenario: Scenario): number | undefined {
  const { protocol, nodes, seed } = scenario;
  const isDefaultBut = (free: Partial<Scenario>): boolean =>
    JSON.stringify(scenario) === JSON.stringify({ ...defaultScenario, protocol, nodes, seed, ...free });
  return protocols[protocol].expectedEvents(scenario, isDefaultBut);
}

/**
 * Returns the remaining work of a run, for progress. A run may have somewhat more events than predicted, so at least a
 * hundredth remains.
 */
export function workLeft(events: number, expected: number | undefined): Work | undefined {
  return expected === undefined ? undefined : { done: events, left: Math.max(expected / 100, expected - events) };
}
