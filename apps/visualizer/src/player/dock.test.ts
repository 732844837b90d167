import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexedRun } from '../../test/recordedRun.ts';
import { chapters } from '../guide/chapters.ts';
import { runMarks } from '../run/runMarks.ts';
import { nodeStory } from '../timeline/nodeStory.ts';
import { allMarks, labelPlaces, type Mark, withMoment, zoomed } from './dock.ts';

it('the marks of a run have every time once, in order', () => {
  const index = indexedRun({ nodes: 64 });
  const story = nodeStory(index, 7);
  const times = allMarks(runMarks(index, story), chapters(index, story)).map(({ timeUs }) => timeUs);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(times.length).toBeGreaterThan(5);
});

it.each([
  [[0, 30, 60], 'after nowhere after'],
  [[0, 110], 'after before'],
  [[60, 110], 'after nowhere'],
  [[70], 'after'],
  [[71], 'before'],
])('labels of marks at %j on a track of 110 pixels neither overlap nor leave the track: %s', (times, places) => {
  const marks = times.map((timeUs): Mark => ({ timeUs, label: 'level 1', kind: 'level' }));
  const found = labelPlaces(
    marks,
    (us) => us,
    () => 40,
    110,
  );
  expect(found.join(' ')).toBe(places);
});

const spanUs = 400_000;
const moment = fc.integer({ min: 0, max: spanUs });

it('a window stays within the run and keeps its time through any number of zooms', () => {
  const zooms = fc.array(fc.tuple(fc.constantFrom(0.5, 2, 0.8, 1.25), moment), { maxLength: 20 });
  fc.assert(
    fc.property(zooms, moment, (steps, timeUs) => {
      let window = { fromUs: 0, untilUs: spanUs };
      for (const [factor, aroundUs] of steps) {
        const at = Math.min(window.untilUs, Math.max(window.fromUs, aroundUs));
        window = zoomed(window, factor, at, spanUs);
        const { fromUs, untilUs } = window;
        const ascending = [-1e-6, fromUs, at + 1e-6, untilUs + 2e-6, spanUs + 3e-6];
        expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
        expect(untilUs - fromUs).toBeGreaterThanOrEqual(1000 - 1e-6);
      }
      const next = withMoment(window, timeUs, spanUs);
      expect(next.untilUs - next.fromUs).toBeCloseTo(window.untilUs - window.fromUs, 3);
      expect(timeUs >= next.fromUs - 1e-6 && timeUs <= next.untilUs + 1e-6).toBe(true);
    }),
  );
});

it('a time keeps its position on the track during a zoom, and a window without it moves on', () => {
  expect(zoomed({ fromUs: 0, untilUs: 400_000 }, 0.5, 100_000, 400_000)).toEqual({ fromUs: 50_000, untilUs: 250_000 });
  const window = { fromUs: 50_000, untilUs: 250_000 };
  expect(withMoment(window, 60_000, 400_000)).toBe(window);
  expect(withMoment(window, 260_000, 400_000)).toEqual({ fromUs: 200_000, untilUs: 400_000 });
  expect(zoomed({ fromUs: 0, untilUs: 500 }, 0.5, 100, 500)).toEqual({ fromUs: 0, untilUs: 500 });
  const empty = { fromUs: 0, untilUs: 0 };
  expect(zoomed(empty, Number.POSITIVE_INFINITY, 0, 0)).toEqual(empty);
});
