import { describe, expect, it } from 'vitest';
import { describePriorities } from '../../test/priorities.ts';
import { sizes, upTo } from '../../test/sizes.ts';
import { IndependentPriorities } from './verificationPriority.ts';

describePriorities('IndependentPriorities', (nodes, seed) => new IndependentPriorities(nodes, seed));

describe('IndependentPriorities', () => {
  it('v1.03 3.3: every row is a permutation of [0, N)', () => {
    for (const nodes of sizes) {
      const priorities = new IndependentPriorities(nodes, 5);
      for (let receiver = 0; receiver < nodes; receiver++) {
        const row = upTo(nodes).map((sender) => priorities.rank(receiver, sender));
        expect(row.sort((a, b) => a - b)).toEqual(upTo(nodes));
      }
    }
  });

  it('draws the rows of two receivers independently: they agree at a position as often as by chance', () => {
    const nodes = 64;
    let agreements = 0;
    for (let seed = 0; seed < 400; seed++) {
      const priorities = new IndependentPriorities(nodes, seed);
      for (let sender = 0; sender < nodes; sender++) {
        if (priorities.rank(10, sender) === priorities.rank(11, sender)) agreements++;
      }
    }
    // One agreement per pair of rows is expected, with a standard deviation of 1. For 400 pairs, the expected number of
    // agreements is 400 ± 20.
    expect(Math.abs(agreements - 400)).toBeLessThan(60);
  });

  it('depends on each bit of a seed of 256 bits', () => {
    const nodes = 64;
    const rowsOf = (words: Int32Array) => {
      const priorities = new IndependentPriorities(nodes, words);
      return upTo(nodes)
        .map((sender) => priorities.rank(3, sender))
        .join();
    };
    const seed = Int32Array.from({ length: 8 }, (_, word) => 0x1234567 * (word + 1));
    const seen = new Set([rowsOf(seed)]);
    for (let bit = 0; bit < 256; bit++) {
      const other = seed.slice();
      other[bit >> 5]! ^= 1 << (bit & 31);
      seen.add(rowsOf(other));
      const ranks = rowsOf(other).split(',').map(Number);
      expect(ranks.sort((a, b) => a - b)).toEqual(upTo(nodes));
    }
    expect(seen.size).toBe(257);
    expect(() => new IndependentPriorities(nodes, new Int32Array(7))).toThrow(
      new RangeError('seed: expected 8 words, got 7'),
    );
  });
});
