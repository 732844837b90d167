import { describe, expect, it } from 'vitest';
import { plannedFaults } from '../src/simulation/faults/planned.ts';
import { defaultScenario, type Scenario } from '../src/simulation/scenario.ts';
import { simulate } from '../src/simulation/simulation.ts';

const base: Scenario = { ...defaultScenario, nodes: 128 };

describe('backing off: a node that is away for ten seconds and comes back without its state', () => {
  const scenario: Scenario = { ...base, absent: 1 };

  it('finishes as soon as anybody does, and is not sent to forever meanwhile', () => {
    const nobody = simulate(base);
    const run = simulate(scenario, { checkers: true });
    expect(run.reached).toBe(128);
    expect(run.timeToThresholdMs.max).toBeLessThan(10_000 + 2 * nobody.timeToThresholdMs.max);
    expect(run.messagesSent.mean).toBeLessThan(1.4 * nobody.messagesSent.mean);
    const paper = simulate({ ...scenario, backOff: false });
    expect(run.messagesSent.mean).toBeLessThan(paper.messagesSent.mean / 5);
    expect(run.injected.missed).toBeLessThan(paper.injected.missed! / 10);
  });

  it('is waited for within the longest gap where all contributions are needed', () => {
    const run = simulate({ ...scenario, threshold: 1 }, { checkers: true, until: 'fairness' });
    expect(run.ended).toBe('reached');
    expect(run.timeToThresholdMs.max).toBeLessThan(11_000);
  });

  it('1,024 nodes: sends at most 1.2 times as many messages a node as with nobody away', () => {
    const nodes = 1024;
    const [nobody, one] = [0, 1].map((absent) => simulate({ ...base, nodes, absent }).messagesSent.mean);
    expect(one! / nobody!).toBeLessThan(1.2);
  });
});

describe('backing off: whoever has fallen quiet', () => {
  /** Every other node, so that every level has both. */
  const half = Array.from({ length: 64 }, (_, index) => 2 * index);

  it.each([1000, 5000])('finishes within the longest gap, 64 periods, of a partition of %i ms', (forMs) => {
    const faults = [{ kind: 'partition', nodes: half, atMs: 0, forMs }] as const;
    const run = simulate({ ...base, faults }, { checkers: true, until: 'fairness' });
    expect(run.ended).toBe('reached');
    expect(run.timeToThresholdMs.max).toBeLessThan(forMs + 64 * 20 + simulate(base).timeToThresholdMs.max);
  });

  it('does not have all ask one node, whose contribution was suppressed, at once', () => {
    const attacks = [{ name: 'censor', share: 0.1 }];
    const run = simulate({ ...base, nodes: 512, attacks, seed: 2 }, { checkers: true });
    expect(run.messagesReceived.max / run.messagesReceived.mean).toBeLessThan(2);
  });
});

describe('plannedFaults', () => {
  const away = (change: Partial<Scenario>): readonly number[] => {
    const [fault] = plannedFaults({ ...base, ...change });
    return fault?.kind === 'restart' && Array.isArray(fault.nodes) ? fault.nodes : [];
  };

  it('has so many nodes away, or that share of them, rounded down', () => {
    expect([0, 1, 5, 128, 0.5, 0.099].map((absent) => away({ absent }).length)).toEqual([0, 1, 5, 128, 64, 12]);
  });

  it('has none away that is dead', () => {
    const run = simulate({ ...base, dead: 0.9, absent: 12, absentMs: 100 });
    expect(run.injected.restart).toBe(12);
  });

  it('comes after the plan, from the beginning on, for as long as was said', () => {
    const crash = { kind: 'crash', nodes: [3], atMs: 1 } as const;
    expect(plannedFaults({ ...base, faults: [crash], absent: 1, absentMs: 250 })).toMatchObject([
      crash,
      { kind: 'restart', atMs: 0, forMs: 250, state: 'lost' },
    ]);
  });
});
