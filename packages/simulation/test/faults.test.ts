import type { CountingScheme } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../../tests/sampled.ts';
import { upTo } from '../../core/test/sizes.ts';
import { generateFaults } from '../src/faults/generate.ts';
import { createSimulation, simulate } from '../src/run/simulation.ts';
import type { Fault } from '../src/scenario/faultPlan.ts';
import type { RunResult } from '../src/scenario/result.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';
import { expectAllReached } from './attacked.ts';
import { ended } from './ended.ts';

const sizes = [2, 3, 13, 17, 32, 64];

/** Runs a scenario with all checkers to its end, which is fairness by default. */
const run = (change: Partial<Scenario>, options: SimulationOptions = {}): RunResult =>
  simulate({ ...defaultScenario, ...change }, { checkers: true, until: 'fairness', ...options });

/** Returns whether a run ended by itself: otherwise, it handles more events with a later limit. */
function isFair(change: Partial<Scenario>): boolean {
  const events = (giveUpAfterMs: number) => run(change, { giveUpAfterMs, checkers: false }).events;
  return events(30_000) === events(39_000);
}

function expectFair(change: Partial<Scenario>): RunResult {
  const result = run(change, { giveUpAfterMs: 30_000 });
  expectAllReached(result);
  expect(isFair(change), JSON.stringify(change)).toBe(true);
  return result;
}

/** Separates one node, so that no run reaches fairness before the other faults have happened. */
const apart: Fault = { kind: 'partition', nodes: [0], atMs: 0, forMs: 1500 };

const half = { share: 0.5 };
const plans: Record<string, Fault[]> = {
  crash: [apart, { kind: 'crash', nodes: [1], atMs: 120 }],
  'restart, state lost': [apart, { kind: 'restart', nodes: half, atMs: 100, forMs: 200, state: 'lost' }],
  'restart, state lost when all was known': [
    apart,
    { kind: 'restart', nodes: half, atMs: 1000, forMs: 100, state: 'lost' },
  ],
  'restart, state kept': [apart, { kind: 'restart', nodes: half, atMs: 100, forMs: 200, state: 'kept' }],
  pause: [apart, { kind: 'pause', nodes: half, atMs: 100, forMs: 1000 }],
  'partition of 3 s': [{ kind: 'partition', nodes: half, atMs: 0, forMs: 3000 }],
  'loss of 30 %': [{ kind: 'loss', share: 0.3 }],
  'loss of all that some send': [{ kind: 'loss', share: 1, from: half, forMs: 1000 }],
  duplication: [{ kind: 'duplication', share: 1, withinMs: 300 }],
  reordering: [{ kind: 'reordering', share: 0.5, byMs: 500 }],
  corruption: [{ kind: 'corruption', share: 0.3 }],
  'slow links': [{ kind: 'slow-links', byMs: 400, from: half }],
  'slow nodes': [{ kind: 'slow-nodes', nodes: half, factor: 20 }],
  skew: [{ kind: 'skew', nodes: half, byMs: -1000 }],
  drift: [
    { kind: 'drift', nodes: half, rate: 5 },
    { kind: 'drift', nodes: half, rate: 0.2 },
  ],
};

describe('v1.03 2.4: after faults are healed, every live node reaches the threshold and has all contributions', () => {
  it.each(Object.entries(plans))('%s', (name, faults) => {
    for (const nodes of sampled(sizes, 3)) {
      const { injected } = expectFair({ nodes, faults, desyncMs: 50, seed: nodes });
      // If one of two nodes crashes, the other node has everything that it needs from the beginning.
      if (nodes === 2 && name === 'crash') continue;
      for (const { kind } of faults) expect(injected[kind], `${kind} at N = ${nodes}`).toBeGreaterThan(0);
    }
  });

  it('plans by seed, on every network, with and without dead and silent nodes', () => {
    const networks = ['aws', 'constant:50', 'constant:0', 'distance'];
    for (const seed of sampled(upTo(60), 15)) {
      const scenario: Scenario = {
        ...defaultScenario,
        seed,
        nodes: sizes[seed % sizes.length]!,
        network: networks[seed % networks.length]!,
        dead: seed % 3 === 0 ? 0.2 : 0,
        attacks: seed % 5 === 0 ? [{ name: 'silent', share: 0.2 }] : [],
      };
      expectFair({ ...scenario, faults: generateFaults(scenario, { seed, healedByMs: 2000 }) });
    }
  });
});

describe('the effect of a plan on a run', () => {
  it('the same plan and seed give the same run, with and without checkers; another seed gives another run', () => {
    const digest = (seed: number, checkers = true) =>
      run(
        { nodes: 40, seed, faults: Object.values(plans).flat(), attacks: [{ name: 'silent', share: 0.1 }] },
        { checkers, giveUpAfterMs: 5000 },
      ).digest;
    expect(digest(1)).toBe(digest(1));
    expect(digest(1, false)).toBe(digest(1));
    expect(digest(2)).not.toBe(digest(1));
  });

  it('crashed nodes do not count as live, and may be in outputs', () => {
    const crash: Fault = { kind: 'crash', nodes: [3, 4], atMs: 0 };
    const early = run({ nodes: 16, threshold: 1, faults: [crash] });
    expect(early).toMatchObject({ live: 14, reached: 14, injected: { crash: 2 } });
    const later: Scenario = { ...defaultScenario, nodes: 16, threshold: 1, faults: [apart, { ...crash, atMs: 1400 }] };
    const { live, scheme, heaviestOutput } = ended(later, { checkers: true, until: 'fairness' });
    expect([live, scheme.weight(heaviestOutput!.contribution)]).toEqual([14, 16]);
  });

  it('refuses a plan that crashes every honest node', () => {
    const faults: Fault[] = [{ kind: 'crash', nodes: { share: 1 }, atMs: 1 }];
    expect(() => run({ nodes: 8, faults })).toThrow('faults: expected an honest node that no crash ends, got none');
  });

  it('a node that loses its state must reach the threshold again', () => {
    const faults: Fault[] = [apart, { kind: 'restart', nodes: [5], atMs: 1000, forMs: 100, state: 'lost' }];
    const scenario: Scenario = { ...defaultScenario, nodes: 16, threshold: 0.8, faults };
    expect(run({ ...scenario, faults: [apart] }).timeToThresholdMs.mean).toBeLessThan(400);
    const simulation = createSimulation(scenario, { checkers: true, until: 'fairness' });
    let before = 0;
    while (simulation.nowUs < 1_100_000) {
      before = simulation.reached;
      simulation.advance(1);
    }
    expect(before).toBe(15);
    while (simulation.nowUs < 1_101_000) simulation.advance(1);
    expect(simulation.reached).toBe(14);
    while (simulation.advance(1000));
    expect(simulation.result()).toMatchObject({ reached: 16, live: 16 });
  });

  it('without authenticated channels they are verified and their senders blacklisted; all outputs are valid', () => {
    for (const of of ['signature', 'bits'] as const) {
      const faults: Fault[] = [{ kind: 'corruption', share: 0.1, of }];
      const result = run({ nodes: 32, threshold: 0.5, faults, authenticated: false }, { giveUpAfterMs: 5000 });
      expect(result.checkedInvalid.max).toBeGreaterThan(0);
      expect(result.refused.blacklisted).toBeGreaterThan(0);
    }
  });

  it('delayed, duplicated and lost messages leave no contribution behind', () => {
    const faults: Fault[] = [
      { kind: 'pause', nodes: half, atMs: 50, forMs: 400 },
      { kind: 'restart', nodes: half, atMs: 500, forMs: 200, state: 'kept' },
      { kind: 'loss', share: 0.3, forMs: 2000 },
      { kind: 'duplication', share: 0.5, withinMs: 100, forMs: 2000 },
      { kind: 'reordering', share: 0.5, byMs: 100, forMs: 2000 },
    ];
    // One node starts long after the faults. Until then, the others hold as much as without faults.
    const late: Fault = { kind: 'skew', nodes: [9], byMs: -10_000 };
    const held = (plan: Fault[]): number => {
      const scenario = { ...defaultScenario, nodes: 64, faults: [late, ...plan] };
      const simulation = createSimulation(scenario, { until: 'fairness' });
      while (simulation.nowUs < 9_900_000) if (!simulation.advance(1)) expect.fail('nothing is left to happen');
      return (simulation.scheme as CountingScheme).held;
    };
    expect(held(faults)).toBeLessThan(1.2 * held([]));
  });
});

describe('a loss of state with a permanently silent node', () => {
  // Node 1 crashes, so level 2 of nodes 2 and 3 is never complete. Node 0 has reported its own level 2 complete.
  const faults: Fault[] = [
    { kind: 'crash', nodes: [1], atMs: 0 },
    { kind: 'skew', nodes: [7], byMs: -1500 },
  ];
  const lost: Fault = { kind: 'restart', nodes: [0], atMs: 1000, forMs: 10, state: 'lost' };
  const scenario: Scenario = { ...defaultScenario, nodes: 8, network: 'constant:10' };

  it('v1.03 2.4: is repaired, although the node had reported a level complete and received no more messages for it', () => {
    expect(isFair({ ...scenario, faults })).toBe(true);
    expect(isFair({ ...scenario, faults: [...faults, { ...lost, state: 'kept' }] })).toBe(true);
    expect(isFair({ ...scenario, faults: [...faults, lost] })).toBe(true);
  });

  it('is repaired if the others have their level complete, because they answer', () => {
    expect(isFair({ ...scenario, faults: [...faults.slice(1), lost] })).toBe(true);
  });
});
