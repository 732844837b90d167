import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slab } from '../../../core/src/slab.ts';
import { listInts, RankedLists } from './rankedLists.ts';

const ranks = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 60 });

/** Creates two lists in one slab with the given ranks, inserted alternately. */
function twoLists(...ofRanks: readonly [readonly number[], readonly number[]]) {
  const slab = new Slab();
  const first = slab.reserve(2 * listInts);
  const second = first + listInts;
  const lists = new RankedLists(slab);
  for (let one = 0; one < Math.max(...ofRanks.map(({ length }) => length)); one++)
    for (const [list, rank] of [
      [first, ofRanks[0][one]],
      [second, ofRanks[1][one]],
    ] as const)
      if (rank !== undefined) lists.insert(list, rank, rank + 1, rank + 2);
  const entries = (list: number) =>
    Array.from({ length: lists.length(list) }, (_, index) => [
      lists.rank(list, index),
      lists.sender(list, index),
      lists.weight(list, index),
    ]);
  return { lists, first, second, entries };
}
const ascending = (all: readonly number[]) => [...all].sort((a, b) => a - b).map((rank) => [rank, rank + 1, rank + 2]);

it('RankedLists are in ascending order of rank for any order of senders, separately for each list', () => {
  fc.assert(
    fc.property(ranks, ranks, (some, others) => {
      const { first, second, entries } = twoLists(some, others);
      expect([entries(first), entries(second)]).toEqual([ascending(some), ascending(others)]);
    }),
  );
});

it('RankedLists count the lower ranks, and find the sender of a rank', () => {
  fc.assert(
    fc.property(ranks, fc.integer({ min: 0, max: 1000 }), (all, rank) => {
      const { lists, first } = twoLists(all, []);
      const before = all.filter((one) => one < rank).length;
      expect(lists.countBefore(first, rank)).toBe(before);
      expect(lists.indexOf(first, rank)).toBe(all.includes(rank) ? before : -1);
    }),
  );
});

it('RankedLists remove one entry or all, and reuse the space', () => {
  fc.assert(
    fc.property(ranks, fc.nat(59), (all, at) => {
      fc.pre(at < all.length);
      const { lists, first, second, entries } = twoLists(all, all);
      const sorted = ascending(all);
      lists.removeAt(first, at);
      expect(entries(first)).toEqual(sorted.filter((_, index) => index !== at));
      lists.insert(first, sorted[at]![0]!, 7, 8);
      lists.setWeight(first, at, 9);
      expect(entries(first)[at]).toEqual([sorted[at]![0], 7, 9]);
      lists.clear(first);
      expect(entries(first)).toEqual([]);
      lists.insert(first, 5, 6, 7);
      expect([entries(first), entries(second)]).toEqual([[[5, 6, 7]], sorted]);
    }),
  );
});
