import { CountingScheme, Tree } from '@tutti/core';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { EventQueue } from '../engine/eventQueue.ts';
import { Simulation, simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { Prefetcher, prefetchFrom, WarmUp } from './prefetcher.ts';

it('Prefetcher reads each event of a bucket once, one to four batches in advance', () => {
  const queue = new EventQueue();
  for (let head = 0; head < 100; head++) queue.push(600 + (head % 7), head, 0, 0, 0);
  const seen: number[] = [];
  const receiver = (head: number) => {
    seen.push(head);
    return 0;
  };
  const read = { receiver, level: () => 0, sender: () => 0 };
  const [scheme, received] = [new CountingScheme(new Tree(2)), new Int32Array(1)];
  const prefetcher = new Prefetcher({ queue, nodes: [], slab: undefined, scheme, received, read });
  const taken: number[] = [];
  const ahead: number[] = [];
  while (queue.next()) {
    taken.push(queue.head);
    ahead.push(seen.length + 1 - taken.length);
    prefetcher.beforeNext();
  }
  expect(taken).toHaveLength(100);
  // The first event only makes its bucket current, so this event is not prefetched.
  expect(seen).toEqual(taken.slice(1));
  expect(Math.min(...ahead.slice(1, 80))).toBeGreaterThanOrEqual(16);
  expect(Math.max(...ahead)).toBeLessThanOrEqual(64);
});

const faults = [{ kind: 'loss', share: 0.05 }] as const;
const attacks = [{ name: 'equivocate', share: 0.05 }];
it.each([{ nodes: prefetchFrom, threshold: 0.6, faults, attacks }, { nodes: 100 }])(
  'Prefetcher in a run: only saves time: a run with dead nodes is the same without it: %j',
  (fields) => {
    const scenario = { ...defaultScenario, dead: 0.1, ...fields };
    const options = isWhole ? {} : { giveUpAfterMs: 120 };
    const plain = new Simulation(scenario, options, false);
    while (plain.advance(1 << 20));
    const { version: _, ...result } = plain.result();
    expect(simulate(scenario, options)).toMatchObject(result);
  },
);

it('WarmUp simulates a small run once, before many nodes have been simulated', () => {
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

it('WarmUp changes no run', () => {
  const scenario = { ...defaultScenario, nodes: 1024 };
  const cold = new Simulation(scenario, {});
  while (cold.advance(1 << 20));
  expect(simulate(scenario).digest).toBe(cold.result().digest);
});
