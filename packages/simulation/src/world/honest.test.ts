import { ForwardingPort, HandelNode } from '@tutti/core';
import { expect, it } from 'vitest';
import { simulate } from '../run/simulation.ts';
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
