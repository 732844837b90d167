import { defaultScenario, type Scenario } from '@tutti/core/simulation';
import type { Work } from './progress.ts';

/**
 * The number of events in a run, if it can be predicted: for the default scenario of any size and seed. A line in
 * log2^2 N through the events of 1,024 to 65,536 nodes, within a twentieth of each.
 */
export function expectedEvents(scenario: Scenario): number | undefined {
  const { nodes, seed } = scenario;
  if (JSON.stringify(scenario) !== JSON.stringify({ ...defaultScenario, nodes, seed })) return undefined;
  return nodes * (68 + 0.87 * Math.log2(nodes) ** 2);
}

/**
 * What is left of a run, for progress; somewhat more comes than was expected at times, so that a hundredth is always
 * left.
 */
export function workLeft(events: number, expected: number | undefined): Work | undefined {
  return expected === undefined ? undefined : { done: events, left: Math.max(expected / 100, expected - events) };
}
