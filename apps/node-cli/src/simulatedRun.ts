import { setFlagsFromString } from 'node:v8';
import { defaultScenario, loadNetwork, protocols, type Scenario } from '@tutti/simulation';
import type { InsecureScheme } from './kernel.ts';
import type { Work } from './output/progress.ts';

/** Loads the tables of all networks, 60 kB of files, so that the current thread can run any scenario. */
export async function loadAllNetworks(): Promise<void> {
  await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);
}

/** Minimum total number of nodes over all runs for which the gain exceeds the additional compilation time. */
const worthFrom = 32_768;

/**
 * Makes the engine inline more calls in hot code, before a large run or many runs: up to 3,500 bytes of bytecode per
 * function instead of 920. Each message passes through many small functions. See docs/guides/simulate.md.
 *
 * @param nodes total number of nodes of all following runs.
 * @returns whether the number of nodes is large enough to change the limit.
 */
export function inlineMore(nodes: number): boolean {
  if (nodes < worthFrom) return false;
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3500');
  return true;
}

/**
 * Creates real signatures for a simulated run if its scenario requires them. The kernel and the code that creates keys
 * are loaded only if the scenario requires real signatures.
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
 * Returns the number of events in a run, or undefined if the number cannot be predicted. The error of the prediction is
 * at most a tenth, for at least 1,024 nodes with Handel and at least 256 nodes with the other protocols. The number is
 * predictable for the default scenario with any number of nodes and any seed, including San Fermín and gossip. Gossip
 * of individual contributions is also predictable with a different mesh, network or verification time.
 */
export function expectedEvents(scenario: Scenario): number | undefined {
  const { protocol, nodes, seed } = scenario;
  const isDefaultBut = (free: Partial<Scenario>): boolean =>
    JSON.stringify(scenario) === JSON.stringify({ ...defaultScenario, protocol, nodes, seed, ...free });
  return protocols[protocol].expectedEvents(scenario, isDefaultBut);
}

/**
 * Returns the completed and the remaining work of a run, for progress. A run may have slightly more events than
 * predicted, so the remaining work is at least a hundredth of the prediction.
 */
export function workLeft(events: number, expected: number | undefined): Work | undefined {
  return expected === undefined ? undefined : { done: events, left: Math.max(expected / 100, expected - events) };
}
