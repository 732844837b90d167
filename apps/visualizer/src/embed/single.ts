import '../style/scale.css';
import '../style/colours.css';
import './frame.css';
import './single.css';
import { query } from '../page.ts';
import { laneOf } from '../race/raceFile.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { recordingIn } from '../worker/recordingFile.ts';
import { messageOf } from '../worker/task.ts';
import { captionOf } from './captionOf.ts';
import { RunFrame } from './runFrame.ts';

/** Page written by `tutti open --single-file`: one run with its clock and its caption. */
const place = query('#recording');
try {
  const index = runIndex(await recordingIn(place.textContent ?? ''), true);
  const { node, at, caption } = place.dataset;
  const atUs = at === undefined ? undefined : Number(at);
  const lane = index.flights === undefined ? laneOf(index) : undefined;
  new RunFrame(query('main'), index, {
    atUs,
    node: Number(node),
    lane,
    caption: caption ?? captionOf(index.recording),
  });
  document.title = query('figcaption').textContent ?? '';
  document.documentElement.dataset.state = 'ready';
} catch (error) {
  document.documentElement.dataset.state = 'error';
  query('main').textContent = `The run on this page cannot be read: ${messageOf(error)}`;
}
