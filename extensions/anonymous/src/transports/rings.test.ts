import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ringsOf } from './rings.ts';

it('each member is in one ring, and rings have at least the requested size, and under twice that', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 60 }), (members, size) => {
      const placement = Int32Array.from({ length: members }, (_, i) => members - 1 - i);
      const rings = ringsOf(placement, size);
      expect(rings.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: members }, (_, i) => i));
      for (const ring of rings) {
        expect(ring.length).toBeGreaterThanOrEqual(Math.min(size, members));
        expect(ring.length).toBeLessThan(Math.max(2 * size, members < size ? members + 1 : 0));
        expect([...ring].sort((a, b) => a - b)).toEqual(ring);
      }
    }),
  );
  expect(ringsOf(Int32Array.of(3, 1, 0, 2), 2)).toEqual([
    [1, 3],
    [0, 2],
  ]);
  expect(() => ringsOf(Int32Array.of(0), 0)).toThrow(/size: expected an integer of 1 or more, got 0/);
});
