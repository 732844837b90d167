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

it('the tick first goes down and then further up, and is thinner in smaller cells, with a minimum width', () => {
  expect(tickPath({ x: 0, y: 0, width: 10, height: 10 })).toBe('M2.20 5.20L4.20 7.20L7.80 2.80');
  expect([24, 12, 4].map(tickWidth)).toEqual([2, 1.5, 0.9]);
});
