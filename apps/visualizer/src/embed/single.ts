import { query } from '../page.ts';
import { laneOf } from '../race/raceFile.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { recordingIn } from '../worker/recordingFile.ts';
import { captionOf } from './captionOf.ts';
import { RunFrame } from './runFrame.ts';
import { showSingle } from './showSingle.ts';

/** Page of one run with its clock and its caption. */
await showSingle('run', async ({ textContent, dataset }) => {
  const index = runIndex(await recordingIn(textContent ?? ''), true);
  const { node, at, caption } = dataset;
  return new RunFrame(query('main'), index, {
    atUs: at === undefined ? undefined : Number(at),
    node: Number(node),
    lane: index.flights === undefined ? laneOf(index) : undefined,
    caption: caption ?? captionOf(index.recording),
  });
});
