import { expect } from 'vitest';
import { judge } from '../src/checks/swarm/hunt.ts';
import { createSimulation, simulate } from '../src/run/simulation.ts';
import type { RunResult } from '../src/scenario/result.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';

/** Runs 64 nodes with all checkers, of which three in ten are Byzantine, unless the test changes this. */
export function attacked(name: string, change: Partial<Scenario> = {}, options: SimulationOptions = {}): RunResult {
  return simulate(under(name, change), { checkers: true, ...options });
}

/** Returns when every honest node had all honest contributions, ms. @throws CheckFailed if not in time. */
export function fairnessMs(name: string, change: Partial<Scenario> = {}, giveUpAfterMs = 20_000): number {
  const simulation = createSimulation(under(name, change), { checkers: true, until: 'fairness', giveUpAfterMs });
  while (simulation.advance(100_000));
  judge(simulation);
  return simulation.nowUs / 1000;
}

function under(name: string, change: Partial<Scenario>): Scenario {
  return { ...defaultScenario, nodes: 64, attacks: [{ name, share: 0.3 }], ...change };
}

export function expectAllReached(result: RunResult): void {
  expect(`${result.reached} of ${result.live}`).toBe(`${result.live} of ${result.live}`);
}

/** Returns the mean of one measure of a run over several seeds. */
export function meanOver(seeds: readonly number[], run: (seed: number) => number): number {
  return seeds.reduce((sum, seed) => sum + run(seed), 0) / seeds.length;
}
