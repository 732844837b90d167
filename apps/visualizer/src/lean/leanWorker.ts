import { type LeanRecording, type LeanScenario, recordLeanSlot, runLeanSlot } from '@tutti/ethereum/lean';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';

/** A simulated slot with its place in the request. */
export interface PlayedSlot {
  readonly place: number;
  readonly recording: LeanRecording;
}

/** Plays slots one after the other, each reported when it is over. Returns how many. */
answerTasks<readonly LeanScenario[], number, PlayedSlot>(async (scenarios, progress) => {
  for (const [place, scenario] of scenarios.entries()) {
    await loadNetwork(scenario.network);
    progress({ place, recording: recordLeanSlot(runLeanSlot(scenario).run) });
  }
  return scenarios.length;
});
