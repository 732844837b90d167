import { createSimulation, loadNetwork } from '@tutti/simulation';
import { laneOf } from '../race/raceFile.ts';
import { decodeState, giveUpAfterMs } from '../state/pageState.ts';
import { maxNodesWithMessages, type RunIndex, runIndex } from '../timeline/runIndex.ts';
import { answerTasks, buffersOf, Transferred } from '../worker/task.ts';
import { captionOf } from './captionOf.ts';
import type { RunFrameOptions } from './runFrame.ts';
import type { EmbedSlot } from './slotFrame.ts';

/** Run that a link describes. */
export interface EmbedRun extends RunFrameOptions {
  readonly index: RunIndex;
}

/** Maximum number of nodes in a run whose messages are shown. Larger runs are shown as a field of cells. */
const maxNodesInFlight = 1024;

/** Returns the fragment of a link to `lean.html`; undefined for any other link. */
function leanHash(link: string): string | undefined {
  return /^(?:[^#]*\/)?lean\.html#(.*)$/s.exec(link)?.[1];
}

/** Simulates the run or the slot of a link. */
answerTasks<string, EmbedRun | EmbedSlot>(async (link) => {
  const slot = leanHash(link);
  // The code is loaded on demand, because most pages have no such links.
  if (slot !== undefined) return await (await import('./embedSlot.ts')).embedSlot(slot);
  const { scenario, timeUs, node, notices } = decodeState(link.slice(link.indexOf('#') + 1));
  await loadNetwork(scenario.network);
  const sends = scenario.nodes <= Math.min(maxNodesInFlight, maxNodesWithMessages(scenario.protocol));
  const simulation = createSimulation(
    { ...scenario, scheme: 'counting' },
    { record: { sends, ...(!sends && { setsUpTo: 0 }) }, giveUpAfterMs },
  );
  while (simulation.advance(65_536));
  const index = runIndex(simulation.recording(), true);
  const caption = captionOf(index.recording);
  const lane = sends ? undefined : laneOf(index);
  return new Transferred({ index, atUs: timeUs, node, lane, caption, notices }, buffersOf(index));
});
