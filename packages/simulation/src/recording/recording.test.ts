import { expect, test } from 'vitest';
import { createSimulation } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import type { SimulationOptions } from '../world/extensions.ts';
import { LineKind, Recorder } from './recording.ts';

/** More lines and words than fit into one chunk of the recorder. */
const many = 40_000;

test('columns() returns every field of every line, over any number of chunks', () => {
  const recorder = new Recorder();
  for (let line = 0; line < many; line++) {
    recorder.line(line, LineKind.check, 1048575 - line, line - 1, line % 21, -line, 2 ** 31 - 1 - line);
  }
  recorder.line(many, LineKind.improve, 0, 3, 20, 7, -1, 5);
  const columns = recorder.columns();
  expect(columns.length).toBe(many + 1);
  expect(recorder.length).toBe(many + 1);
  for (let line = 0; line < many; line += 1237) {
    expect([
      columns.timeUs[line],
      columns.kind[line],
      columns.node[line],
      columns.peer[line],
      columns.level[line],
      columns.value[line],
      columns.untilUs[line],
      columns.set[line],
    ]).toEqual([line, LineKind.check, 1048575 - line, line - 1, line % 21, 0 - line, 2 ** 31 - 1 - line, -1]);
  }
  expect([columns.level[many], columns.untilUs[many], columns.set[many]]).toEqual([20, -1, 5]);
  expect(columns.timeUs.length).toBe(many + 1);
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

test('columns() can be called again while the run continues', () => {
  const recorder = new Recorder();
  expect(recorder.columns().length).toBe(0);
  recorder.line(5, LineKind.start, 1, -1, 0, 0, -1);
  const first = recorder.columns();
  recorder.line(6, LineKind.output, 2, -1, 0, 9, -1);
  expect(first.length).toBe(1);
  expect([...recorder.columns().timeUs]).toEqual([5, 6]);
});

test('a recording without sends has all other lines, and states it', () => {
  const scenario = { ...defaultScenario, nodes: 61, dead: 0.1 };
  const record = (options: SimulationOptions) => {
    const simulation = createSimulation(scenario, options);
    while (simulation.advance(1 << 20));
    return simulation.recording();
  };
  const all = record({ record: true });
  const fewer = record({ record: { sends: false } });
  expect([all.sends, fewer.sends, record({ record: {} }).sends]).toEqual([true, false, true]);
  expect(fewer.result).toEqual(all.result);
  expect([...fewer.kind]).toEqual([...all.kind].filter((kind) => kind !== LineKind.send));
  expect(fewer.words).toEqual(all.words);
});

test('a recording without large sets has all lines, and the sets of the smaller levels', () => {
  const record = (setsUpTo?: number) => {
    const scenario = { ...defaultScenario, nodes: 200, dead: 0.2 };
    const simulation = createSimulation(scenario, { record: setsUpTo === undefined ? {} : { setsUpTo } });
    while (simulation.advance(1 << 20));
    return simulation.recording();
  };
  const [all, some, none] = [record(), record(16), record(0)];
  const setsOf = ({ kind, level, set }: typeof all, isLevel: (level: number) => boolean) =>
    [...set.keys()].filter((line) => kind[line] === LineKind.improve && isLevel(level[line]!) && set[line]! >= 0);
  expect([some.value, some.level]).toEqual([all.value, all.level]);
  expect(setsOf(some, (level) => level <= 5)).toEqual(setsOf(all, (level) => level <= 5));
  expect(setsOf(all, (level) => level > 5).length).toBeGreaterThan(100);
  // On every level, the sets of the last subtree, which has 8 ids, are small.
  expect(some.words.length).toBeLessThan(all.words.length / 2);
  expect([setsOf(none, () => true), none.words.length]).toEqual([[], 0]);
  expect(() => record(-1)).toThrow('setsUpTo');
});

test.each([1, 8])('invalid verified contributions have a negative weight, in batches of %i', (batch) => {
  const attacks = [{ name: 'invalid', share: 0.2 }] as const;
  const simulation = createSimulation({ ...defaultScenario, nodes: 64, attacks, batch }, { record: true });
  while (simulation.advance(1 << 20));
  const { kind, value, node, result } = simulation.recording();
  const invalid = new Map<number, number>();
  for (const [line, one] of kind.entries())
    if (one === LineKind.check && value[line]! < 0) invalid.set(node[line]!, (invalid.get(node[line]!) ?? 0) + 1);
  expect(invalid.size).toBeGreaterThan(0);
  expect(Math.max(...invalid.values())).toBe(result.checkedInvalid.max);
});
