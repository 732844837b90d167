import { readFileSync } from 'node:fs';
import { defaultNetworkScenario } from '@tutti/simulation/slots';
import { expect, it } from 'vitest';
import { readNetworkFile } from './networkFile.ts';

const stored = JSON.parse(readFileSync(new URL('./network.json', import.meta.url), 'utf8'));

it('reads the slots that the page ships: every step of every watched node', () => {
  const { lanes, frontier } = readNetworkFile(stored);
  expect(lanes.map(({ scenario }) => scenario.system)).toEqual(['electra', 'strawman', 'horn', 'handel-committees']);
  for (const { scenario, result, steps } of lanes) {
    // The page finds a recorded slot by its scenario, whole and in this order.
    const asked = { ...defaultNetworkScenario, system: scenario.system };
    expect(JSON.stringify(scenario)).toBe(JSON.stringify(asked));
    expect(steps.reach).toHaveLength(steps.observers.length * steps.sent.length);
    expect(steps.sent.at(-1)).toBeLessThanOrEqual(result.globalMessages);
  }
  for (const { slotSeconds, played } of frontier.cells) {
    for (const one of played) {
      expect(one.inReachPercent >= 99).toBe(slotSeconds !== null && one.slotSeconds >= slotSeconds);
    }
  }
});
