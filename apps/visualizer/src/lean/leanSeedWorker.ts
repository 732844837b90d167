import { type LeanScenario, recordLeanSlot, runLeanSlot } from '@tutti/ethereum/lean';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';
import { outcomeOf } from './leanText.ts';

/** Answers with the number of wasted merges of a slot. */
answerTasks<LeanScenario, number | undefined>(async (scenario) => {
  await loadNetwork(scenario.network);
  return outcomeOf(recordLeanSlot(runLeanSlot(scenario).run)).wasted;
});
