import { describe, expect, it } from 'vitest';
import { describePriorities } from '../../test/priorities.ts';
import { sizes, upTo } from '../../test/sizes.ts';
import { ShiftedPriorities } from './shiftedPriorities.ts';

describePriorities('ShiftedPriorities', (nodes, seed) => new ShiftedPriorities(nodes, seed));

describe('ShiftedPriorities', () => {
  it('gives a sender another rank with every receiver', () => {
    for (const nodes of sizes) {
      const priorities = new ShiftedPriorities(nodes, 5);
      for (let sender = 0; sender < nodes; sender++) {
        expect(new Set(upTo(nodes).map((receiver) => priorities.rank(receiver, sender))).size).toBe(nodes);
      }
    }
  });

  it('has every row and every column a permutation of [0, N) where N is a power of two', () => {
    const priorities = new ShiftedPriorities(64, 2);
    for (let at = 0; at < 64; at++) {
      const row = upTo(64).map((sender) => priorities.rank(at, sender));
      const columnOfRanks = upTo(64).map((receiver) => priorities.rank(receiver, at));
      expect(row.sort((a, b) => a - b)).toEqual(upTo(64));
      expect(columnOfRanks.sort((a, b) => a - b)).toEqual(upTo(64));
    }
  });
});
