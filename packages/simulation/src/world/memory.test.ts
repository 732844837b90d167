import { expect, it } from 'vitest';
import { RunMemory } from '../engine/runMemory.ts';
import { createSimulation } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';

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
