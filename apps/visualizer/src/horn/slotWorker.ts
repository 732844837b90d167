import { createSlot } from '@tutti/ethereum';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks, buffersOf, messageOf, Transferred } from '../worker/task.ts';
import type { SlotRequest } from './runSlots.ts';
import { type SlotIndex, slotIndex } from './slotIndex.ts';
import { lostToEve } from './slotText.ts';

answerTasks<SlotRequest, SlotIndex | number, number>(async ({ scenario, answer }, progress) => {
  try {
    await loadNetwork(scenario.network);
    const slot = createSlot(scenario);
    while (slot.advance(1)) if (answer === 'slot') progress(slot.progress);
    if (answer === 'lost votes') return lostToEve(slot.result());
    const index = slotIndex(slot.recording());
    return new Transferred(index, buffersOf(index));
  } catch (error) {
    throw new Error(`The slot failed: ${messageOf(error)}`, { cause: error });
  }
});
