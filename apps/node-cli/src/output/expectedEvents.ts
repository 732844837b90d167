import { defaultScenario, type Scenario } from '@tutti/simulation';
import type { Work } from './progress.ts';

/** Aggregates are gossiped until a run of more nodes is given up. */
const mostOfAggregates = 2048;

/**
 * The number of events in a run, if it can be predicted: of the default scenario with any number of nodes and seed, and
 * of San Fermin and gossip in its place; of gossip of individuals also with another mesh, network or cost of a
 * verification. Within a tenth of the events counted, from 1,024 nodes on for Handel, from 256 on for the others.
 */
export function expectedEvents(scenario: Scenario): number | undefined {
  const { protocol, nodes, seed, gossip, network, tor, desyncMs, verifyMs } = scenario;
  const isDefaultBut = (free: Partial<Scenario>): boolean =>
    JSON.stringify(scenario) === JSON.stringify({ ...defaultScenario, protocol, nodes, seed, ...free });
  const levels = Math.log2(nodes);
  if (protocol === 'gossip' && gossip.of === 'individuals') {
    // Every node verifies each contribution once, and hears it from all its neighbours but one.
    return isDefaultBut({ gossip, network, tor, desyncMs, verifyMs }) ? nodes ** 2 * gossip.degree : undefined;
  }
  if (protocol === 'gossip') {
    const { degree } = defaultScenario.gossip;
    return nodes <= mostOfAggregates && isDefaultBut({ gossip: { of: 'aggregates', degree } })
      ? 2.15 * nodes ** 2
      : undefined;
  }
  if (!isDefaultBut({})) return undefined;
  // Lines through what runs came to.
  if (protocol === 'handel') return nodes * (68 + 0.87 * levels ** 2);
  return protocol === 'san-fermin' ? nodes * (0.6 + 3.43 * levels) : undefined;
}

/**
 * What is left of a run, for progress; somewhat more comes than was expected at times, so that a hundredth is always
 * left.
 */
export function workLeft(events: number, expected: number | undefined): Work | undefined {
  return expected === undefined ? undefined : { done: events, left: Math.max(expected / 100, expected - events) };
}
