import { recordLeanSlot, runLeanSlot } from '@tutti/ethereum/lean';
import { loadNetwork } from '@tutti/simulation';
import { outcomeOf } from '../lean/leanMoment.ts';
import { leanFields, leanScenarioOf } from '../lean/leanState.ts';
import { verdictWords } from '../lean/leanText.ts';
import type { EmbedSlot } from './slotFrame.ts';

/** Simulates the slot in a link to `lean.html`. @param hash the part of the link after `#`. */
export async function embedSlot(hash: string): Promise<EmbedSlot> {
  const { values: state, notices } = leanFields.read(hash);
  const recordings = [];
  for (const strategy of new Set(state.strategies)) {
    const scenario = leanScenarioOf(state, strategy);
    await loadNetwork(scenario.network);
    recordings.push(recordLeanSlot(runLeanSlot(scenario).run));
  }
  const atUs = state.timeMs === undefined ? undefined : 1000 * state.timeMs;
  return { recordings, atUs, asked: state.asked, caption: verdictWords(state, recordings.map(outcomeOf)), notices };
}
