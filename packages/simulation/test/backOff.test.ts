import { expect, it } from 'vitest';
import { isWhole, sampled } from '../../../tests/sampled.ts';
import { randomScenario } from '../src/checks/swarm/draw.ts';
import { allFaults } from '../src/faults/nodeFaults.ts';
import { simulate } from '../src/run/simulation.ts';
import { type Fault, healedAtMs } from '../src/scenario/faultPlan.ts';
import type { RunResult } from '../src/scenario/result.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';

/** Maximum time by which the last node may exceed the bound, ms. */
const slackMs = 1000;

type World = readonly [name: string, change: Partial<Scenario>, seeds: number];

const silent = (share: number): Partial<Scenario> => ({ attacks: [{ name: 'silent', share }] });
const lost = (share: number, forMs?: number): Fault => ({
  kind: 'loss',
  share,
  ...(forMs !== undefined && { atMs: 0, forMs }),
});
const parted = (forMs: number): Fault => ({ kind: 'partition', nodes: { share: 0.5 }, atMs: 0, forMs });
const dust: Partial<Scenario> = { threshold: 0.67, attackBy: 'lightest', ...silent(0.3) };

/** Scenarios that, with an earlier back-off rule, took 5 to 175 times as long as without back-off. */
const named: readonly World[] = [
  ['two heavy members among silent light ones', { nodes: 512, weights: '510x1,2x1000', ...dust }, 1],
  ['40 % dead, half of the messages lost for 3 s', { dead: 0.4, faults: [lost(0.5, 3000)] }, 2],
  ['a large registry, a fifth dead, at 100 %', { nodes: isWhole ? 4096 : 1024, dead: 0.2, threshold: 1 }, 1],
  ['isolate', { attacks: [{ name: 'isolate', share: 0.3 }] }, 2],
  ['two heavy members of 128', { weights: '126x1,2x1000', ...dust }, 2],
];

const others: readonly World[] = [
  ['four heavy members of 512', { nodes: 512, weights: '508x1,4x500', ...dust }, 3],
  ['two heavy members of 256', { nodes: 256, weights: '254x1,2x500', ...dust }, 3],
  ['weights by pareto:0.5', { nodes: 512, weights: 'pareto:0.5', ...dust }, 2],
  ['20 % dead, half lost for 3 s', { dead: 0.2, faults: [lost(0.5, 3000)] }, 20],
  ['20 % dead, 80 % lost for 3 s', { dead: 0.2, faults: [lost(0.8, 3000)] }, 20],
  ['80 % lost for 3 s', { faults: [lost(0.8, 3000)] }, 4],
  ['40 % dead, parted for 3 s', { dead: 0.4, faults: [parted(3000)] }, 20],
  ['30 % silent, parted for 3 s', { ...silent(0.3), faults: [parted(3000)] }, 20],
  ['40 % dead, parted for 20 s', { dead: 0.4, faults: [parted(20_000)] }, 2],
  ['20 % dead, 30 % lost', { dead: 0.2, faults: [lost(0.3)] }, 20],
  ['30 % silent, 30 % lost', { ...silent(0.3), faults: [lost(0.3)] }, 20],
  ['45 % silent, 10 % lost', { ...silent(0.45), faults: [lost(0.1)] }, 20],
  ['30 % silent, 60 % lost', { ...silent(0.3), faults: [lost(0.6)] }, 20],
  ['60 % lost, at 100 %', { threshold: 1, faults: [lost(0.6)] }, 40],
  ['30 % silent, at 100 %', { threshold: 1, ...silent(0.3) }, 40],
  ['45 % silent of 512, at 100 %', { nodes: 512, threshold: 1, ...silent(0.45) }, 6],
  ['90 % dead', { dead: 0.9 }, 20],
];

const light = (name: string, share: number): Partial<Scenario> => ({
  attacks: [{ name, share }],
  attackBy: 'lightest',
});

/** Scenarios in which a node that answered every request sent 1.1 to 16 times as many messages as without back-off. */
const asked: readonly (readonly [name: string, scenario: Partial<Scenario>])[] = [
  [
    'four live nodes among censors, parted',
    {
      ...light('censor', 0.35),
      ...{ nodes: 277, seed: 194175, threshold: 0.9, weights: '272x1,5x500', prioritiesBy: 'id' },
      faults: [
        { kind: 'partition', nodes: { share: 0.27 }, atMs: 301, forMs: 3163 },
        { kind: 'slow-nodes', nodes: { share: 0.31 }, factor: 12, atMs: 0, forMs: 1410 },
      ],
    },
  ],
  ['57 nodes that take six periods', { nodes: 57, seed: 255952, periodMs: 50, batch: 2 }],
];

const cases = (worlds: readonly World[]) =>
  worlds.flatMap(([name, change, seeds]) =>
    Array.from({ length: seeds }, (_, at): [string, Scenario] => [
      `${name}, seed ${at + 1}`,
      { ...defaultScenario, nodes: 128, seed: at + 1, ...change },
    ]),
  );

function both(scenario: Scenario): { readonly on: RunResult; readonly off: RunResult } {
  return { on: simulate(scenario), off: simulate({ ...scenario, backOff: false }) };
}

it.each<readonly [string, Scenario]>([
  ...cases(named.map(([name, change, seeds]) => [name, change, isWhole ? seeds : 1])),
  ...sampled(cases(others), 2),
  ...sampled(asked, 1).map(([name, change]) => [name, { ...defaultScenario, ...change }] as const),
])(
  'back-off sends no more messages than without it, and finishes within twice the time, or at the last fault, plus a second: %s',
  (_name, scenario) => {
    const { on, off } = both(scenario);
    expect(on.reached).toBe(on.live);
    const healedMs = healedAtMs(allFaults(scenario));
    expect(on.timeToThresholdMs.max).toBeLessThan(Math.max(2 * off.timeToThresholdMs.max, healedMs) + slackMs);
    expect(on.messagesSent.mean).toBeLessThanOrEqual(off.messagesSent.mean);
  },
  120_000,
);

it('back-off sends at most as many messages as without it in 98 % of random networks, and at most 1.4 times as many', () => {
  const ratios = Array.from({ length: isWhole ? 300 : 20 }, (_, at) => {
    const { on, off } = both(randomScenario(at + 1, { maxNodes: 96 }));
    return on.messagesSent.mean / off.messagesSent.mean;
  });
  expect(ratios.filter((ratio) => ratio > 1).length).toBeLessThanOrEqual(0.02 * ratios.length);
  expect(Math.max(...ratios)).toBeLessThanOrEqual(1.4);
  expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThan(0.9);
}, 120_000);

it('back-off sends fewer messages, and takes no longer, if no node is dead', () => {
  for (const nodes of isWhole ? [64, 512, 1024, 4096] : [64, 512]) {
    const { on, off } = both({ ...defaultScenario, nodes });
    expect(on.messagesSent.mean, `${nodes} nodes`).toBeLessThan(off.messagesSent.mean);
    expect(on.timeToThresholdMs.max, `${nodes} nodes`).toBeLessThan(1.1 * off.timeToThresholdMs.max);
  }
});
