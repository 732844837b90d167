import { type LeanRecording, type LeanScenario, recordLeanSlot, runLeanSlot } from '@tutti/ethereum/lean';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks } from '../worker/task.ts';
import { outcomeOf } from './leanMoment.ts';

/** Simulated slot with the slot's index in the request. */
export interface SimulatedSlot {
  readonly place: number;
  readonly recording: LeanRecording;
}

/** Simulates slots one after another, and reports each slot. Returns the number of wasted merges in all slots. */
answerTasks<readonly LeanScenario[], number, SimulatedSlot>(async (scenarios, progress) => {
  let wasted = 0;
  for (const [place, scenario] of scenarios.entries()) {
    await loadNetwork(scenario.network);
    const recording = recordLeanSlot(runLeanSlot(scenario).run);
    progress({ place, recording });
    wasted += outcomeOf(recording).wasted;
  }
  return wasted;
});
