import { expect, test } from 'vitest';
import { recordingOf } from '../../test/recordings.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { LineKind, Recorder, type Recording } from './recording.ts';

/** More lines and words than fit into one chunk of the recorder. */
const many = 40_000;

test('columns() returns every field of every line, over any number of chunks', () => {
  const recorder = new Recorder();
  for (let line = 0; line < many; line++)
    recorder.line(line, LineKind.check, 1048575 - line, line - 1, line % 21, -line, 2 ** 31 - 1 - line);
  recorder.line(many, LineKind.improve, 0, 3, 20, 7, -1, 5);
  const columns = recorder.columns();
  expect(columns.length).toBe(many + 1);
  const { timeUs, kind, node, peer, level, value, untilUs, set } = columns;
  for (let line = 0; line < many; line += 1237) {
    expect([timeUs, kind, node, peer, level, value, untilUs, set].map((column) => column[line])).toEqual([
      line,
      LineKind.check,
      1048575 - line,
      line - 1,
      line % 21,
      0 - line,
      2 ** 31 - 1 - line,
      -1,
    ]);
  }
  expect([level[many], untilUs[many], set[many]]).toEqual([20, -1, 5]);
});

test('keep() copies a set at any position in the chunks, and returns its start', () => {
  const recorder = new Recorder();
  const sets = [1, 3, 16_383, 16_384, 2, 40_000, 0, 7].map((length, which) =>
    Int32Array.from({ length }, (_, word) => which * 1e6 + word),
  );
  const starts = sets.map((set) => recorder.keep(set));
  for (const set of sets) set.fill(0);
  const { words } = recorder.columns();
  sets.forEach((set, which) => {
    const kept = words.subarray(starts[which], starts[which]! + set.length);
    expect(kept.every((word, at) => word === which * 1e6 + at)).toBe(true);
  });
  expect(words.length).toBe(sets.reduce((sum, set) => sum + set.length, 0));
});

test('a recording without sends has all other lines, and states it', () => {
  const scenario = { ...defaultScenario, nodes: 61, dead: 0.1 };
  const [all, fewer] = [recordingOf(scenario), recordingOf(scenario, { sends: false })];
  expect([all.sends, fewer.sends]).toEqual([true, false]);
  expect(fewer.result).toEqual(all.result);
  expect([...fewer.kind]).toEqual([...all.kind].filter((kind) => kind !== LineKind.send));
  expect(fewer.words).toEqual(all.words);
});

test('a recording without large sets has all lines, and the sets of the smaller levels', () => {
  const scenario = { ...defaultScenario, nodes: 200, dead: 0.2 };
  const [all, some, none] = [{}, { setsUpTo: 16 }, { setsUpTo: 0 }].map((options) =>
    recordingOf(scenario, options),
  ) as [Recording, Recording, Recording];
  const setsOf = ({ kind, level, set }: Recording, isLevel: (level: number) => boolean) =>
    [...set.keys()].filter((line) => kind[line] === LineKind.improve && isLevel(level[line]!) && set[line]! >= 0);
  expect([some.value, some.level]).toEqual([all.value, all.level]);
  expect(setsOf(some, (level) => level <= 5)).toEqual(setsOf(all, (level) => level <= 5));
  expect(setsOf(all, (level) => level > 5).length).toBeGreaterThan(100);
  // On every level, the sets of the last subtree, which has 8 ids, are small.
  expect(some.words.length).toBeLessThan(all.words.length / 2);
  expect([setsOf(none, () => true), none.words.length]).toEqual([[], 0]);
});

test.each([1, 8])('invalid verified contributions have a negative weight, in batches of %i', (batch) => {
  const attacks = [{ name: 'invalid', share: 0.2 }] as const;
  const { kind, value, node, result } = recordingOf({ ...defaultScenario, nodes: 64, attacks, batch });
  const invalid = new Map<number, number>();
  for (const [line, one] of kind.entries())
    if (one === LineKind.check && value[line]! < 0) invalid.set(node[line]!, (invalid.get(node[line]!) ?? 0) + 1);
  expect(invalid.size).toBeGreaterThan(0);
  expect(Math.max(...invalid.values())).toBe(result.checkedInvalid.max);
});
