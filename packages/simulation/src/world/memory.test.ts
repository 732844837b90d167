import { expect, it } from 'vitest';
import { RunMemory } from '../engine/runMemory.ts';
import { createSimulation } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';

it('the memory of a run is reserved at its beginning', () => {
  const roomOf = (fields: Partial<Scenario>) => {
    const memory = new RunMemory();
    createSimulation({ ...defaultScenario, nodes: 64, ...fields }, { memory });
    return memory.reserve(1).ints.length;
  };
  const loss = { kind: 'loss', share: 0.01 } as const;
  expect([
    roomOf({}),
    roomOf({ dead: 0.1 }),
    roomOf({ absent: 1 }),
    roomOf({ faults: [loss] }),
    roomOf({ attacks: [{ name: 'silent', share: 0.1 }] }),
    roomOf({ protocol: 'gossip' }),
  ]).toMatchInlineSnapshot(`
    [
      65536,
      131072,
      131072,
      131072,
      131072,
      1,
    ]
  `);
});
