import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBefore, insert, ofRank, type Ranked, remove, removeAt } from './ranked.ts';

const ranks = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 40 });
const listOf = (all: readonly number[]): Ranked[] => {
  const list: Ranked[] = [];
  for (const rank of all) insert(list, { sender: rank + 1, rank });
  return list;
};

describe('ranked senders', () => {
  it('are in ascending order of rank, in whatever order they come', () => {
    fc.assert(
      fc.property(ranks, (all) => {
        expect(listOf(all).map(({ rank }) => rank)).toEqual([...all].sort((a, b) => a - b));
      }),
    );
  });

  it('are counted and found by rank', () => {
    fc.assert(
      fc.property(ranks, fc.integer({ min: 0, max: 1000 }), (all, rank) => {
        expect(countBefore(listOf(all), rank)).toBe(all.filter((one) => one < rank).length);
        expect(ofRank(listOf(all), rank)?.sender).toBe(all.includes(rank) ? rank + 1 : undefined);
      }),
    );
  });

  it('are removed by rank or by place, and the others stay', () => {
    fc.assert(
      fc.property(ranks, fc.nat(39), (all, at) => {
        const list = listOf(all);
        const left = listOf(all).filter((_, place) => place !== at);
        const rank = list[at]?.rank;
        expect(remove(list, rank ?? 1001)).toBe(rank !== undefined);
        expect(list).toEqual(left);
        if (left.length > 0) removeAt(list, 0);
        expect(list).toEqual(left.slice(1));
      }),
    );
  });
});
