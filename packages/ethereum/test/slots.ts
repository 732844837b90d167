import { createSlot, type SlotOptions } from '../src/slots/slot.ts';
import type { SlotRecording, SlotResult } from '../src/slots/slotResult.ts';
import type { SlotScenario } from '../src/slots/slotScenario.ts';

/** Runs a slot to its end. */
export function runSlot(scenario: SlotScenario, options: SlotOptions = {}): SlotResult {
  return recordSlot(scenario, options).result;
}

/** Runs a slot to its end, and returns its recording. */
export function recordSlot(scenario: SlotScenario, options: SlotOptions = {}): SlotRecording {
  const slot = createSlot(scenario, options);
  while (slot.advance(1 << 16));
  return slot.recording();
}

/** Returns one committee's votes that had arrived by each step of `binUs` up to `untilUs`, both µs. */
export function votesOverTime(
  recording: SlotRecording,
  timesUs: Int32Array,
  which: number,
  binUs: number,
  untilUs: number,
): Int32Array {
  const { committee } = recording;
  const counts = new Int32Array(Math.ceil(untilUs / binUs));
  for (const us of timesUs.subarray(which * committee, (which + 1) * committee)) {
    const bin = us === -1 ? counts.length : Math.max(0, Math.ceil(us / binUs) - 1);
    if (bin < counts.length) counts[bin]!++;
  }
  for (let bin = 1; bin < counts.length; bin++) counts[bin]! += counts[bin - 1]!;
  return counts;
}
