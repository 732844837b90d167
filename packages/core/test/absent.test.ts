import { describe, expect, it } from 'vitest';
import type { Fault } from '../src/simulation/faults/plan.ts';
import { defaultScenario } from '../src/simulation/scenario.ts';
import { simulate } from '../src/simulation/simulation.ts';

describe('backing off: a node that is away for ten seconds and comes back without its state', () => {
  const away: Fault = { kind: 'restart', nodes: [7], atMs: 0, forMs: 10_000, state: 'lost' };
  const scenario = { ...defaultScenario, nodes: 128, backOff: true, faults: [away] };

  it('finishes as soon as anybody does, and is not sent to for ever meanwhile', () => {
    const nobody = simulate({ ...scenario, faults: [] });
    const run = simulate(scenario, { checkers: true });
    expect(run.reached).toBe(128);
    expect(run.timeToThresholdMs.max).toBeLessThan(10_000 + 2 * nobody.timeToThresholdMs.max);
    const paper = simulate({ ...scenario, backOff: false });
    expect(run.messagesSent.mean).toBeLessThan(paper.messagesSent.mean / 3);
    expect(run.injected.missed).toBeLessThan(paper.injected.missed! / 100);
  });

  it('is waited for within the longest gap where all contributions are needed', () => {
    const run = simulate({ ...scenario, threshold: 1 }, { checkers: true, until: 'fairness' });
    expect(run.ended).toBe('reached');
    expect(run.timeToThresholdMs.max).toBeLessThan(11_000);
  });
});
