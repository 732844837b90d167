import { ForwardingPort, HandelNode } from '@tutti/core';
import { expect, it } from 'vitest';
import { RunMemory } from '../engine/runMemory.ts';
import { createSimulation, simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { configOf } from './honest.ts';

const changes: Partial<Scenario>[] = [
  {},
  { batch: 8, verifyMs: 40 },
  { backOff: false },
  { window: 'paper', periodMs: 30, levelStartMs: 80, fastPath: 3 },
  { tree: 'packed' },
  { without: ['level-flag'] },
];

it.each(changes)('a variant without changes gives the same results as the built-in run: %j', (change) => {
  const scenario = { ...defaultScenario, nodes: 128, dead: 0.2, threshold: 0.75, ...change };
  const own = simulate(scenario, {
    nodes: ({ scheme, priorities, threshold }) => {
      const config = configOf(scenario, threshold);
      return (id, own, port) => new HandelNode({ id, config, scheme, priorities, own, port: new ForwardingPort(port) });
    },
  });
  const { digest: _, ...built } = simulate(scenario);
  expect(own).toMatchObject(built);
});

it.each<readonly [fields: Partial<Scenario>, intsPerNode: number]>([
  [{}, 1024],
  [{ dead: 0.1 }, 2048],
  [{ absent: 1 }, 2048],
  [{ faults: [{ kind: 'loss', share: 0.01 }] }, 2048],
  [{ attacks: [{ name: 'silent', share: 0.1 }] }, 2048],
  [{ protocol: 'gossip' }, 0],
])('the memory of a run is reserved at its beginning: %j', (fields, intsPerNode) => {
  const memory = new RunMemory();
  createSimulation({ ...defaultScenario, nodes: 64, ...fields }, { memory });
  expect(memory.reserve(1).ints.length).toBe(Math.max(1, 64 * intsPerNode));
});
