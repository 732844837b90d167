import { published } from '@tutti/lab';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexedRun } from '../../test/recordedRun.ts';
import { columnUsFor, completionTimes, pileOf, publishedNear } from './completionView.ts';

it('shows the published sizes next to its own (v1.03 section 7)', () => {
  const sizes = (nodes: number) => publishedNear(published.handel, nodes).map((row) => row.nodes);
  expect([64, 500, 700, 9000].map(sizes)).toEqual([[100], [500], [500, 1000], [4000]]);
});

it('completionTimes is the time at which each honest node reached the threshold, equal to the result', () => {
  const index = indexedRun({ nodes: 64, dead: 0.1, attacks: [{ name: 'invalid', share: 0.2 }], seed: 4 });
  const { result, world } = index.recording;
  const times = completionTimes(index);
  const done = [...times].filter((us) => us >= 0);
  expect(done).toHaveLength(result.reached);
  expect(Math.min(...done) / 1000).toBeCloseTo(result.timeToThresholdMs.min, 6);
  expect(Math.max(...done) / 1000).toBeCloseTo(result.timeToThresholdMs.max, 6);
  times.forEach((us, id) => {
    if (world.role[id] !== 1) expect(us).toBe(-1);
  });
});

it('pileOf has every finished node once, stacked in its column', () => {
  const times = fc.array(fc.integer({ min: -1, max: 500 }), { maxLength: 60 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 90 }), (drawn, columnUs) => {
      const pile = pileOf(Int32Array.from(drawn), columnUs);
      expect([...pile.id].sort((a, b) => a - b)).toEqual([...drawn.keys()].filter((id) => drawn[id]! >= 0));
      const places = [...pile.id.keys()].map((at) => `${pile.column[at]} ${pile.row[at]}`);
      expect(new Set(places).size).toBe(places.length);
      for (const at of pile.id.keys()) {
        expect(pile.column[at]).toBe(Math.floor(pile.timeUs[at]! / columnUs));
        if (pile.row[at]! > 0) expect(places).toContain(`${pile.column[at]} ${pile.row[at]! - 1}`);
      }
    }),
  );
});

it('columnUsFor is a round step that is at least the requested width', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 20_000_000 }), fc.integer({ min: 100, max: 2000 }), (spanUs, width) => {
      const us = columnUsFor(spanUs, width, 9);
      expect(String(us)).toMatch(/^[125]0*$/);
      expect((us / spanUs) * width).toBeGreaterThanOrEqual(Math.min(9, (100 / spanUs) * width) - 1e-9);
    }),
  );
  expect(columnUsFor(300_000, 900, 9)).toBe(5000);
});
