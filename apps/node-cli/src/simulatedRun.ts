import { setFlagsFromString } from 'node:v8';
import { defaultScenario, loadNetwork, protocols, type Scenario } from '@tutti/simulation';
import type { InsecureScheme } from './kernel.ts';
import type { Work } from './output/progress.ts';

/** Loads the tables of all networks, 60 kB of files, so that this thread can run any scenario. */
export async function loadAllNetworks(): Promise<void> {
  await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);
}

/** Minimum total number of nodes over all runs for which the gain exceeds the additional compilation time. */
const worthFrom = 32_768;

/**
 * Makes the engine inline more calls in hot code, before a large run or many runs: functions of up to 3,500 bytes of
 * bytecode instead of 920. A message passes through many small functions. See docs/guides/simulate.md.
 *
 * @param nodes total number of nodes of all following runs.
 * @returns whether the number is large enough.
 */
export function inlineMore(nodes: number): boolean {
  if (nodes < worthFrom) return false;
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3500');
  return true;
}

/**
 * Creates real signatures for a simulated run if its scenario requires them. The kernel and the code that creates keys
 * are loaded only then.
 *
 * @param onNode called with the number of nodes that have signed; may throw to stop.
 * @returns undefined for a scenario with counted signatures.
 */
export async function realScheme(
  scenario: Scenario,
  onNode: (signed: number) => void,
): Promise<InsecureScheme | undefined> {
  if (scenario.scheme === 'counting') return undefined;
  return (await import('./kernel.ts')).insecureScheme(scenario, onNode);
}

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
