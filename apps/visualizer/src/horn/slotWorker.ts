import { createSlot, runNetworkSlot, type SlotScenario, topicSteps } from '@tutti/ethereum';
import { type CommitteeRun, runCommittee } from '@tutti/lab';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks, buffersOf, messageOf, Transferred } from '../worker/task.ts';
import { lostToEve } from './fieldSlot.ts';
import { type NetworkLane, pageStepMs } from './networkFile.ts';
import type { SlotRequest } from './runSlots.ts';
import { pageSteps } from './slotFile.ts';
import { type SlotIndex, slotIndex } from './slotIndex.ts';

type Answer = SlotIndex | number | CommitteeRun | NetworkLane;

answerTasks<SlotRequest, Answer, number>(async (request, progress) => {
  try {
    await loadNetwork(request.scenario.network);
    return answerTo(request, progress);
  } catch (error) {
    const what = request.kind === 'committee' ? 'Handel' : 'The slot';
    throw new Error(`${what} failed: ${messageOf(error)}`, { cause: error });
  }
});

function answerTo(request: SlotRequest, progress: (share: number) => void): Answer | Transferred<Answer> {
  switch (request.kind) {
    case 'slot': {
      const index = slotIndex(finished(request.scenario, progress).recording());
      return new Transferred(index, buffersOf(index));
    }
    case 'lost votes':
      return lostToEve(finished(request.scenario, () => {}).result());
    case 'committee':
      return runCommittee(request.scenario, { ...pageSteps, maxNodes: request.maxNodes });
    case 'network': {
      const slot = runNetworkSlot(request.scenario);
      return { scenario: request.scenario, result: slot.result, steps: topicSteps(slot, pageStepMs) };
    }
  }
}

/** Simulates a slot to its end. */
function finished(scenario: SlotScenario, progress: (share: number) => void): ReturnType<typeof createSlot> {
  const slot = createSlot(scenario);
  while (slot.advance(1)) progress(slot.progress);
  return slot;
}
