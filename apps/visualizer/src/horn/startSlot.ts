import type { SlotScenario } from '@tutti/ethereum';
import { type Task, task } from '../worker/task.ts';
import type { SlotIndex } from './slotIndex.ts';

/** Starts one slot in a worker of its own. @param progress - hears how far it is, 0 to 1. */
export function startSlot(scenario: SlotScenario, progress: (share: number) => void): Task<SlotIndex> {
  const worker = new Worker(new URL('./slotWorker.ts', import.meta.url), { type: 'module', name: 'tutti-slot' });
  return task<SlotScenario, SlotIndex, number>(worker, 'The slot', scenario, { progress });
}
