import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { chapters } from '../guide/chapters.ts';
import { runMarks } from '../run/runMarks.ts';
import { nodeStory } from '../timeline/nodeStory.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { allMarks, labelPlaces, type Mark } from './marks.ts';

describe('allMarks', () => {
  it('has every time once, in order', () => {
    const index = runIndex(recordedRun({ nodes: 64 }), true);
    const story = nodeStory(index, 7);
    const times = allMarks(runMarks(index, story), chapters(index, story)).map(({ timeUs }) => timeUs);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(times.length).toBeGreaterThan(5);
  });
});

describe('labelPlaces', () => {
  const mark = (timeUs: number): Mark => ({ timeUs, label: 'level 1', kind: 'level' });
  const placesOf = (...times: number[]) =>
    labelPlaces(
      times.map(mark),
      (us) => us,
      () => 40,
      110,
    );

  it('omits a label that overlaps the previous one', () => {
    expect(placesOf(0, 30, 60)).toEqual(['after', 'nowhere', 'after']);
  });

  it('puts a label that would overflow the track before its mark, if there is space', () => {
    expect(placesOf(0, 110)).toEqual(['after', 'before']);
    expect(placesOf(60, 110)).toEqual(['after', 'nowhere']);
    expect(placesOf(70)).toEqual(['after']);
    expect(placesOf(71)).toEqual(['before']);
  });
});
