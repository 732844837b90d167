import { expect, it } from 'vitest';
import { never, type Race } from './raceFile.ts';
import { RaceTimeline, storyUs } from './raceTimeline.ts';

const outcome = { nodes: 2, dead: 0, live: 2, meanMs: 0, bytesSent: 1, messagesSent: 1, checked: 1 };
const lane = { digest: '', perNode: 1, role: Uint8Array.of(1, 1) };
const race: Race = {
  dead: 0,
  byzantine: 0,
  lanes: [
    { ...lane, protocol: 'handel', marks: Int32Array.of(100, 300) },
    { ...lane, protocol: 'gossip', marks: Int32Array.of(200, 310) },
    { ...lane, protocol: 'san-fermin', marks: Int32Array.of(5000, never) },
  ],
  outcomes: [
    { ...outcome, protocol: 'handel', reached: 2, lastMs: 300 },
    { ...outcome, protocol: 'gossip', reached: 2, lastMs: 310 },
    { ...outcome, protocol: 'san-fermin', reached: 1, lastMs: 5000 },
  ],
};
const timeline = new RaceTimeline(race, 1000);

it('the story ends with the last node of the race, and its curve with the share of nodes that finished', () => {
  expect(timeline.timeMs(storyUs)).toBe(5000);
  expect(timeline.content(false).track.curve.at(-1)).toEqual([1, 5 / 6]);
});

it('a mark names a protocol in which every node finished, and the next mark if it is near', () => {
  expect(timeline.content(false).marks.map(({ label }) => label)).toEqual(['Handel; gossip', 'gossip']);
  expect(timeline.content(false).chapters.map(({ text }) => text)).toEqual([
    'Every node starts with its own signature.',
    'Handel: half of the 2 nodes have finished after 0.10\u00a0s.',
    'Handel: the last node finishes after 0.30\u00a0s. Still running: gossip, San Fermín.',
    'Gossip: the last node finishes after 0.31\u00a0s. Still running: San Fermín.',
  ]);
});

it('before the reader’s guess, no mark and no chapter names a finished protocol', () => {
  const { marks, chapters } = timeline.content(true);
  expect([marks, chapters.map(({ title }) => title)]).toEqual([[], ['Start']]);
});
