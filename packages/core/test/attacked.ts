import { expect } from 'vitest';
import { defaultScenario, type RunResult, type Scenario, type SimulationOptions, simulate } from '../src/index.ts';

/** A run of 64 nodes with all claims checked, unless the test says otherwise, three in ten of them Byzantine in one way. */
export function attacked(name: string, change: Partial<Scenario> = {}, options: SimulationOptions = {}): RunResult {
  const scenario = { ...defaultScenario, nodes: 64, attacks: [{ name, share: 0.3 }], ...change };
  return simulate(scenario, { checkers: true, ...options });
}

export function expectAllReached(result: RunResult): void {
  expect(`${result.reached} of ${result.live}`).toBe(`${result.live} of ${result.live}`);
}

/** The mean of a figure of the run over some seeds. */
export function meanOver(seeds: readonly number[], run: (seed: number) => number): number {
  return seeds.reduce((sum, seed) => sum + run(seed), 0) / seeds.length;
}
