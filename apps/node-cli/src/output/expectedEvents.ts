import { defaultScenario, protocols, type Scenario } from '@tutti/simulation';
import type { Work } from './progress.ts';

/**
 * The number of events in a run, if it can be predicted: of the default scenario with any number of nodes and seed, and
 * of San Fermin and gossip in its place; of gossip of individuals also with another mesh, network or cost of a
 * verification. Within a tenth of the events counted, from 1,024 nodes on for Handel, from 256 on for the others.
 */
export function expectedEvents(scenario: Scenario): number | undefined {
  const { protocol, nodes, seed } = scenario;
  const isDefaultBut = (free: Partial<Scenario>): boolean =>
    JSON.stringify(scenario) === JSON.stringify({ ...defaultScenario, protocol, nodes, seed, ...free });
  return protocols[protocol].expectedEvents(scenario, isDefaultBut);
}

/**
 * What is left of a run, for progress; somewhat more comes than was expected at times, so that a hundredth is always
 * left.
 */
export function workLeft(events: number, expected: number | undefined): Work | undefined {
  return expected === undefined ? undefined : { done: events, left: Math.max(expected / 100, expected - events) };
}
