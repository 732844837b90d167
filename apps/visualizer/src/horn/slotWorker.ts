import { createSlot, type SlotScenario } from '@tutti/ethereum';
import { loadNetwork } from '@tutti/simulation';
import { messageOf } from '../messageOf.ts';
import { answerTasks, Transferred } from '../worker/answerTasks.ts';
import { buffersOf } from '../worker/buffers.ts';
import { type SlotIndex, slotIndex } from './slotIndex.ts';

answerTasks<SlotScenario, SlotIndex, number>(async (scenario, progress) => {
  try {
    await loadNetwork(scenario.network);
    const slot = createSlot(scenario);
    while (slot.advance(1)) progress(slot.progress);
    const index = slotIndex(slot.recording());
    return new Transferred(index, buffersOf(index));
  } catch (error) {
    throw new Error(`The slot failed: ${messageOf(error)}`, { cause: error });
  }
});
