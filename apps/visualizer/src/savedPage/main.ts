import '../style/page.css';
import '../growth/growth.css';
import { decodeRecording } from '@tutti/simulation';
import { query, say, sayError } from '../page.ts';
import { present } from '../player/present.ts';
import { RunFigures } from '../run/runFigures.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { count, ms, protocolTitles } from '../words.ts';
import { decompressed } from '../worker/decompressed.ts';

/** Reads the recording in this page on the page's own thread, because a page opened from a file has no workers. */
async function storedRecording(text: string) {
  const file = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return decodeRecording(await decompressed(new Blob([file])));
}

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
  const recording = await storedRecording(place.textContent ?? '');
  const index = runIndex(recording, true);
  const { alive } = recording.world;
  figures.adopt(index);
  figures.finish();
  const node = Number(place.dataset.node);
  figures.look(alive[node] === undefined ? Math.max(0, alive.indexOf(1)) : node);
  figures.player.begin(undefined);
  const { protocol, nodes, network, seed } = recording.scenario;
  document.title = `${protocolTitles[protocol]}, ${count(nodes)} nodes, seed ${seed}`;
  say(
    'ready',
    `${protocolTitles[protocol]}, ${count(nodes)} nodes on ${network}, seed ${seed}: ${ms(index.endUs)}, as recorded.`,
  );
} catch (error) {
  sayError(error, 'The run in this page cannot be read');
}
