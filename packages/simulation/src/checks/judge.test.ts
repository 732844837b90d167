import { describe, expect, it } from 'vitest';
import { createSimulation, simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { judge } from './swarm/hunt.ts';

const scenario: Scenario = { ...defaultScenario, nodes: 32, threshold: 0.51, fastPath: 0 };

/** Returns the run at fairness, or at its time limit. */
function endedRun(giveUpAfterMs: number) {
  const simulation = createSimulation(scenario, { until: 'fairness', giveUpAfterMs });
  while (simulation.advance(1 << 20));
  return simulation;
}

describe('judge', () => {
  it('accepts a run in which every output has every contribution', () => {
    const simulation = endedRun(60_000);
    judge(simulation);
    expect(simulation.unsatisfied()).toEqual([]);
  });

  it('v1.03 2.4: names a node without an output, before one with incomplete outputs', () => {
    const { min } = simulate(scenario).timeToThresholdMs;
    const simulation = endedRun(min);
    const first = simulation.unsatisfied().find(({ reached }) => !reached)!;
    expect(simulation.unsatisfied().some(({ reached }) => reached)).toBe(true);
    expect(() => judge(simulation)).toThrow(
      expect.objectContaining({ claim: 'termination', node: first.node, atUs: simulation.nowUs }),
    );
  });

  it('v1.03 2.4, 4.3: names a node with incomplete outputs', () => {
    const { max } = simulate(scenario).timeToThresholdMs;
    const simulation = endedRun(max);
    expect(simulation.reached).toBe(32);
    const [first] = simulation.unsatisfied();
    expect(() => judge(simulation)).toThrow(expect.objectContaining({ claim: 'fairness', node: first!.node }));
  });
});
