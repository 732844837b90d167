import { expect, it } from 'vitest';
import { indexedRun } from '../../test/recordedRun.ts';
import type { Mark } from '../player/dock.ts';
import { nodeStory } from '../timeline/nodeStory.ts';
import { runMarks } from './runMarks.ts';
import { worldWords } from './runTables.ts';

function marksOf(chosen: Parameters<typeof indexedRun>[0], node: number): readonly Mark[] {
  const index = indexedRun(chosen);
  return runMarks(index, nodeStory(index, node));
}

const ofKind = (marks: readonly Mark[], kind: Mark['kind']) => marks.filter((mark) => mark.kind === kind);

it('marks each level that a node completes, and its first output', () => {
  const marks = marksOf({ nodes: 16, threshold: 1 }, 3);
  expect(ofKind(marks, 'level').map(({ label }) => label)).toEqual(['level 1', 'level 2', 'level 3', 'level 4']);
  expect(ofKind(marks, 'output')).toHaveLength(1);
});

it.each([
  [1, 'A standard machine'],
  [0.98, 'A standard machine'],
  [0.5, 'A machine that is 2.0 times faster than the standard machine'],
  [1.26, 'A machine that is 1.3 times slower than the standard machine'],
])('a node with CPU factor %d is described as: %s', (factor, words) => {
  const { world } = indexedRun({ nodes: 2, network: 'constant:50' }).recording;
  expect(worldWords({ ...world, cpuFactor: Float32Array.of(factor, 1) }, 0)).toBe(words);
});

it('marks every invalid contribution that a node detects', () => {
  const index = indexedRun({ nodes: 64, attacks: [{ name: 'invalid', share: 0.3 }] });
  const story = nodeStory(index, index.recording.world.role.indexOf(1));
  const { value, untilUs } = index.recording;
  const invalid = [...story.checks].filter((line) => value[line]! < 0 && untilUs[line]! <= index.endUs);
  expect(invalid.length).toBeGreaterThan(0);
  expect(ofKind(runMarks(index, story), 'invalid')).toHaveLength(invalid.length);
});

it('marks the begin and end of each fault', () => {
  const faults = [{ kind: 'partition', nodes: [0, 1, 2], atMs: 50, forMs: 100 }] as const;
  const marks = ofKind(marksOf({ nodes: 16, threshold: 1, faults }, 5), 'fault');
  expect(marks.map(({ label, timeUs }) => [label, timeUs])).toEqual([
    ['partition', 50_000],
    ['healed', 150_000],
  ]);
});
