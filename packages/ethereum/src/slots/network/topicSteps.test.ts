import { expect, it } from 'vitest';
import { defaultNetworkScenario } from '../../horn/network/scenario.ts';
import { runNetworkSlot } from './networkSlot.ts';
import { topicSteps } from './topicSteps.ts';

const slot = runNetworkSlot(
  { ...defaultNetworkScenario, changes: { committees: 2, subcommittees: 4 }, validators: 1024, nodes: 48 },
  { sample: { subnets: 2, committeeTopics: 1, nodes: 24, messages: 2048 } },
);
const { sent, verified, observers, reach, stepMs } = topicSteps(slot, 100);
const steps = sent.length;

it('topicSteps(slot, stepMs) has a step for every interval of the slot, and ends with the totals of the slot', () => {
  expect({ stepMs, steps }).toEqual({ stepMs: 100, steps: 221 });
  expect(sent.at(-1)).toBe(slot.result.globalMessages);
  const shares = observers.map((_, observer) => reach[(observer + 1) * steps - 1]!);
  expect(Math.min(...shares)).toBe(Math.floor(100 * slot.result.inReach.min));
});

it('topicSteps(slot, stepMs) has nothing before collections are sent, no verification before sending, and no loss twice', () => {
  expect(sent[119]).toBe(0);
  expect(sent[120]).toBeGreaterThan(0);
  for (const counts of verified) {
    for (let step = 1; step < steps; step++) {
      expect(counts[step]).toBeGreaterThanOrEqual(counts[step - 1]!);
      expect(counts[step]).toBeLessThanOrEqual(sent[step]!);
    }
  }
});
