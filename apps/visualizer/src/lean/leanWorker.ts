import { type LeanRecording, type LeanScenario, recordLeanSlot, runLeanSlot } from '@tutti/ethereum/lean';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';

/** Simulated slot with its index in the request. */
export interface SimulatedSlot {
  readonly place: number;
  readonly recording: LeanRecording;
}

/** Simulates slots one after the other, and reports each. Returns their number. */
answerTasks<readonly LeanScenario[], number, SimulatedSlot>(async (scenarios, progress) => {
  for (const [place, scenario] of scenarios.entries()) {
    await loadNetwork(scenario.network);
    progress({ place, recording: recordLeanSlot(runLeanSlot(scenario).run) });
  }
  return scenarios.length;
});
