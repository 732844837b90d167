import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickPath, tickWidth } from './nodeMarks.ts';

const length = fc.double({ min: 2, max: 400, noNaN: true });

describe('the tick of a done cell', () => {
  it('is within its cell, for any shape', () => {
    fc.assert(
      fc.property(fc.record({ x: length, y: length, width: length, height: length }), (box) => {
        const numbers = tickPath(box)
          .match(/-?[\d.]+/g)!
          .map(Number);
        expect(numbers).toHaveLength(6);
        for (let place = 0; place < 6; place += 2) {
          expect(numbers[place]).toBeGreaterThan(box.x);
          expect(numbers[place]).toBeLessThan(box.x + box.width);
          expect(numbers[place + 1]).toBeGreaterThan(box.y);
          expect(numbers[place + 1]).toBeLessThan(box.y + box.height);
        }
      }),
    );
  });

  it('first goes down and then further up', () => {
    expect(tickPath({ x: 0, y: 0, width: 10, height: 10 })).toBe('M2.20 5.20L4.20 7.20L7.80 2.80');
  });

  it('is thinner in smaller cells, with a minimum width', () => {
    expect(tickWidth(24)).toBe(2);
    expect(tickWidth(12)).toBe(1.5);
    expect(tickWidth(4)).toBe(0.9);
  });
});
