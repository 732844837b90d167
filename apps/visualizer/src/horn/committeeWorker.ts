import { type CommitteeRun, runCommittee } from '@tutti/lab';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks, messageOf } from '../worker/task.ts';
import type { CommitteeRequest } from './runSlots.ts';
import { pageSteps } from './slotFile.ts';

answerTasks<CommitteeRequest, CommitteeRun>(async ({ slot, maxNodes }) => {
  try {
    await loadNetwork(slot.network);
    return runCommittee(slot, { ...pageSteps, maxNodes });
  } catch (error) {
    throw new Error(`Handel failed: ${messageOf(error)}`, { cause: error });
  }
});
