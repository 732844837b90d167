import { expect, it } from 'vitest';
import { Reach, wordsOf } from './reach.ts';
import { VoteSets } from './voteSets.ts';

it('counts each vote that counts once, whichever sets it is in, and tells the place of each that is new', () => {
  const sets = new VoteSets(40);
  const first = sets.add(3, 10, 3, Int32Array.of(0b1011, 0b1));
  const second = sets.add(7, 10, 3, Int32Array.of(0b0110, 0b1000_0000));
  const other = sets.add(45, 10, 2, Int32Array.of(-1 << 30, 0));
  const reach = new Reach(
    sets,
    wordsOf(
      sets,
      Uint8Array.from({ length: 80 }, (_, place) => (place === 39 ? 0 : 1)),
    ),
  );
  const places: number[] = [];
  for (const set of [first, second, first, other]) reach.add(set, (place) => places.push(place));
  expect(places).toEqual([0, 1, 3, 32, 2, 39, 70, 71]);
  expect(reach.votes).toBe(7);
});

it('VoteSets: keeps what it is given', () => {
  const sets = new VoteSets(512);
  for (let author = 0; author < 1000; author++) {
    sets.add(author, author * 2, 1, new Int32Array(16).fill(1 << (author & 31)));
  }
  expect(sets.count).toBe(1000);
  expect([sets.author(999), sets.sentUs(999), sets.weight(999), sets.group(999)]).toEqual([999, 1998, 1, 1]);
  expect([sets.has(999, 7), sets.has(999, 8), sets.has(999, 511 - 24)]).toEqual([true, false, true]);
});
