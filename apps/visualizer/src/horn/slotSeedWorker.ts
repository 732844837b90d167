import { createSlot, type SlotScenario } from '@tutti/ethereum';
import { loadNetwork } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';
import { lostToEve } from './comparisonText.ts';

/** Answers with the number of honest votes that the attackers of a slot keep out of its block. */
answerTasks<SlotScenario, number | undefined>(async (scenario) => {
  await loadNetwork(scenario.network);
  const slot = createSlot(scenario);
  while (slot.advance(1));
  return lostToEve(slot.result());
});
