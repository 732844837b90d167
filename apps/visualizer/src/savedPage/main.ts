import '../style/page.css';
import '../growth/growth.css';
import { NodeRole, protocols } from '@tutti/simulation';
import { count, ms } from '../formatNumber.ts';
import { query, say, sayError } from '../page.ts';
import { present } from '../player/present.ts';
import { RunFigures } from '../run/runFigures.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { recordingIn } from '../worker/recordingFile.ts';

const figures = new RunFigures({
  link: () => undefined,
  looked: () => {},
  draw: () => {},
  circle: () => {},
  comparedEndUs: () => 0,
});
present({ recolour: () => figures.repaint(), resize: () => figures.resize() }, figures.player);
const place = query('#recording');
say('running', 'Reading the run …');
try {
  // The page's main thread reads the recording, because a page opened from a file cannot start workers.
  const recording = await recordingIn(place.textContent ?? '');
  const index = runIndex(recording, true);
  const { role: roles } = recording.world;
  figures.adopt(index);
  figures.finish();
  const node = Number(place.dataset.node);
  // If the file names no node that the run contains, the page shows the first honest node.
  figures.look(roles[node] === undefined ? Math.max(0, roles.indexOf(NodeRole.honest)) : node);
  figures.player.begin(undefined);
  const { protocol, nodes, network, seed } = recording.scenario;
  const who = `${protocols[protocol].title}, ${count(nodes)} nodes`;
  document.title = `${who}, seed ${seed}`;
  say('ready', `${who} on ${network}, seed ${seed}: a recording of ${ms(index.endUs)}.`);
} catch (error) {
  sayError(error, 'The run stored in this page cannot be read');
}
