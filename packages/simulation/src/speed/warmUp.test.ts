import { describe, expect, it } from 'vitest';
import { Simulation, simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { WarmUp } from './warmUp.ts';

describe('WarmUp', () => {
  it('simulates a small run once, before many nodes have been simulated', () => {
    const runs: Simulation[] = [];
    const warmUp = new WarmUp();
    const before = (nodes: number) =>
      warmUp.before(nodes, (scenario) => {
        const simulation = new Simulation(scenario, {});
        runs.push(simulation);
        return simulation;
      });
    for (const nodes of [600, 423]) before(nodes);
    expect(runs).toEqual([]);
    for (const nodes of [1, 1_000_000]) before(nodes);
    expect(runs.map(({ live, reached }) => [live, reached])).toEqual([[64, 64]]);
  });

  it('changes no run', () => {
    const scenario = { ...defaultScenario, nodes: 1024 };
    const cold = new Simulation(scenario, {});
    while (cold.advance(1 << 20));
    expect(simulate(scenario).digest).toBe(cold.result().digest);
  });
});
