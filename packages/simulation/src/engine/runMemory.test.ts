import { expect, it } from 'vitest';
import { ended } from '../../test/ended.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import type { SimulationOptions } from '../world/extensions.ts';
import { RunMemory } from './runMemory.ts';

const runs: readonly [what: string, change: Partial<Scenario>, options?: SimulationOptions][] = [
  ['a run', { nodes: 64 }],
  ['a larger one', { nodes: 300, dead: 0.2 }],
  ['one whose periods lie beyond the wheel', { nodes: 32, periodMs: 700, dead: 0.3 }],
  ['one that is given up with events in the queue', { nodes: 48, dead: 0.2 }, { giveUpAfterMs: 150 }],
  ['one with shared cores', { nodes: 64, cpu: { ...defaultScenario.cpu, nodesPerCore: 4, perMessageUs: 50 } }],
  ['one under attack, to fairness', { nodes: 64, attacks: [{ name: 'flood', share: 0.2 }] }, { until: 'fairness' }],
  ['one of another protocol', { nodes: 40, protocol: 'gossip' }],
  ['the first run again', { nodes: 64 }],
];

it('gives a run the same digest after any other run in its memory', () => {
  const memory = new RunMemory();
  for (const [what, change, options] of runs) {
    const scenario = { ...defaultScenario, ...change };
    expect(simulate(scenario, { ...options, memory }), what).toEqual(simulate(scenario, options));
  }
});

it('after free, its run throws, and the next run works as before', () => {
  const memory = new RunMemory();
  const scenario = { ...defaultScenario, nodes: 8 };
  const before = ended(scenario, { memory, record: true });
  const later = before.recordingLater();
  memory.free();
  expect(() => before.result()).toThrow(TypeError);
  expect(later().result.digest).toBe(simulate(scenario, { memory }).digest);
});
