import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tickPath, tickWidth } from './nodeMarks.ts';

const length = fc.double({ min: 2, max: 400, noNaN: true });

it('the tick of a finished cell is within its cell, for any shape', () => {
  fc.assert(
    fc.property(fc.record({ x: length, y: length, width: length, height: length }), (box) => {
      const numbers = [...tickPath(box).matchAll(/-?[\d.]+/g)].map(Number);
      expect(numbers).toHaveLength(6);
      numbers.forEach((at, place) => {
        const [from, extent] = place % 2 === 0 ? [box.x, box.width] : [box.y, box.height];
        expect(at > from && at < from + extent).toBe(true);
      });
    }),
  );
});

it('the line of a tick is thinner in smaller cells, within limits', () => {
  expect([24, 12, 4].map(tickWidth)).toEqual([2, 1.5, 0.9]);
});
