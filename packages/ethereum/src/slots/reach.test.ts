import { expect, it } from 'vitest';
import { Reach, wordsOf } from './reach.ts';

it('counts each vote once, in any number of sets, and returns the positions of new ones', () => {
  const first = { group: 0, bits: Int32Array.of(0b1011, 0b1) };
  const second = { group: 0, bits: Int32Array.of(0b0110, 0b1000_0000) };
  const other = { group: 1, bits: Int32Array.of(-1 << 30, 0) };
  const marks = Uint8Array.from({ length: 80 }, (_, place) => (place === 39 ? 0 : 1));
  const reach = new Reach(40, wordsOf(40, marks));
  const places: number[] = [];
  for (const set of [first, second, first, other]) reach.add(set, (place) => places.push(place));
  expect(places).toEqual([0, 1, 3, 32, 2, 39, 70, 71]);
  expect(reach.votes).toBe(7);
});
