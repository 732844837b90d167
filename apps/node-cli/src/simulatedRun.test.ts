import { setFlagsFromString } from 'node:v8';
import { defaultScenario, loadNetwork, type Scenario, simulate } from '@tutti/simulation';
import { afterAll, expect, it } from 'vitest';
import { expectedEvents, inlineMore, loadAllNetworks, workLeft } from './simulatedRun.ts';

await loadAllNetworks();

afterAll(() => setFlagsFromString('--max-inlined-bytecode-size-cumulative=920'));

it.each([
  [32_767, false],
  [32_768, true],
])('the engine inlines more for runs with %i nodes in total: %s', (nodes, isMore) => {
  expect(inlineMore(nodes)).toBe(isMore);
});

const gossip = { ...defaultScenario, protocol: 'gossip', nodes: 256 } as const;
const aggregates = { ...defaultScenario.gossip, of: 'aggregates' } as const;

it.each<[string, Scenario]>([
  ['the default scenario', { ...defaultScenario, nodes: 1024 }],
  ['San Fermin', { ...defaultScenario, protocol: 'san-fermin', nodes: 1024 }],
  ['gossip of individuals', gossip],
  ['gossip of individuals on another mesh', { ...gossip, gossip: { of: 'individuals', degree: 4 } }],
  ['gossip of individuals between cities', { ...gossip, network: 'cities', desyncMs: 500, verifyMs: 10 }],
  ['gossip of aggregates', { ...gossip, gossip: aggregates }],
])('expects about as many events as a run of %s has', async (_, scenario) => {
  await loadNetwork(scenario.network);
  const { events } = simulate(scenario);
  expect(events / expectedEvents(scenario)!).toBeGreaterThan(0.9);
  expect(events / expectedEvents(scenario)!).toBeLessThan(1.1);
});

it.each<[string, Scenario]>([
  ['some are dead', { ...defaultScenario, dead: 0.2 }],
  ['some nodes that gossip are dead', { ...gossip, dead: 0.2 }],
  ['half of the contributions are enough', { ...gossip, threshold: 0.51 }],
  ['aggregates are gossiped on another mesh', { ...gossip, gossip: { ...aggregates, degree: 4 } }],
  ['aggregates are gossiped among 4,096 nodes', { ...gossip, gossip: aggregates, nodes: 4096 }],
  ['all nodes send to all nodes', { ...defaultScenario, protocol: 'complete-graph' }],
])('the number of events is not predicted if %s', (_, scenario) => expect(expectedEvents(scenario)).toBeUndefined());

it('a run with more events than expected has remaining work', () => {
  expect(workLeft(30, 100)).toEqual({ done: 30, left: 70 });
  expect(workLeft(130, 100)).toEqual({ done: 130, left: 1 });
  expect(workLeft(30, undefined)).toBeUndefined();
});
