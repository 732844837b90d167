import { defaultScenario, protocols, type Scenario } from '@tutti/simulation';
import type { Work } from './progress.ts';

/**
 * Returns the number of events in a run if it can be predicted, within a tenth from 1,024 nodes on for Handel, and from
 * 256 on for the others. It can for the default scenario with any number of nodes and seed, and for San Fermin and
 * gossip instead of Handel. For gossip of individuals it can also with another mesh, network or cost of a verification.
 */
export function expectedEvents(scenario: Scenario): number | undefined {
  const { protocol, nodes, seed } = scenario;
  const isDefaultBut = (free: Partial<Scenario>): boolean =>
    JSON.stringify(scenario) === JSON.stringify({ ...defaultScenario, protocol, nodes, seed, ...free });
  return protocols[protocol].expectedEvents(scenario, isDefaultBut);
}

/**
 * Returns the rest of a run, for progress. A run may have somewhat more events than predicted, so a hundredth is always
 * left.
 */
export function workLeft(events: number, expected: number | undefined): Work | undefined {
  return expected === undefined ? undefined : { done: events, left: Math.max(expected / 100, expected - events) };
}
