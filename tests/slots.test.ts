import { readFileSync } from 'node:fs';
import { createSlot, type SlotResult, slotSteps } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { isWhole } from './sampled.ts';

interface Stored {
  readonly stepUs: number;
  readonly lanes: readonly { readonly result: SlotResult; readonly counts: number[][]; readonly quarters: string }[];
}

const file = new URL('../apps/visualizer/src/horn/slots.json', import.meta.url);
const { stepUs, lanes }: Stored = JSON.parse(readFileSync(file, 'utf8'));

// The other two systems take several times as long. `npm run data -- slots` prints all three digests.
it.runIf(isWhole)('simulates the status quo of a million validators with the result of the page', () => {
  const stored = lanes.find(({ result }) => result.scenario.system === 'status-quo')!;
  const slot = createSlot(stored.result.scenario);
  while (slot.advance(1));
  const recording = slot.recording();
  expect(recording.result.digest).toBe(stored.result.digest);
  const { counts, quarters } = slotSteps(recording, stepUs, stored.counts[0]!.length - 1);
  expect(counts).toEqual(stored.counts);
  expect(Buffer.from(quarters).toString('base64')).toBe(stored.quarters);
});
