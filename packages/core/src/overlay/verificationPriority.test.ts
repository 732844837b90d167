import { describe, expect, it } from 'vitest';
import { describePriorities, prioritisationVector } from '../../test/priorities.ts';
import { sizes, upTo } from '../../test/sizes.ts';
import { Tree } from './tree.ts';
import { IndependentPriorities, ShiftedPriorities } from './verificationPriority.ts';

describePriorities('ShiftedPriorities', (nodes, seed) => new ShiftedPriorities(nodes, seed));

it('ShiftedPriorities over a packed tree has at most as many positions as the next power of two of the peers', () => {
  const [tree, priorities] = [new Tree(1025, 'packed'), new ShiftedPriorities(1025, 5, 'packed')];
  const peers = tree.peerBlock(0, 11);
  expect([tree.size(peers), priorities.places(peers), priorities.contact(0, peers, 0)]).toEqual([1, 1, 1024]);
  for (const sender of [3, 1024]) {
    for (let level = 1; level <= tree.levels; level++) {
      const block = tree.peerBlock(sender, level);
      if (tree.size(block) === 0) continue;
      const vector = prioritisationVector(priorities, sender, block);
      const ranks = vector.map((peer) => priorities.rank(peer, sender));
      expect(vector.toSorted((a, b) => a - b)).toEqual(upTo(tree.size(block)).map((at) => tree.start(block) + at));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    }
  }
});

it('ShiftedPriorities gives a sender a different rank at every receiver', () => {
  for (const nodes of sizes) {
    const priorities = new ShiftedPriorities(nodes, 5);
    for (let sender = 0; sender < nodes; sender++)
      expect(new Set(upTo(nodes).map((receiver) => priorities.rank(receiver, sender))).size).toBe(nodes);
  }
});

it('ShiftedPriorities has permutations of [0, N) as rows and columns if N is a power of two', () => {
  const priorities = new ShiftedPriorities(64, 2);
  for (let at = 0; at < 64; at++) {
    const row = upTo(64).map((sender) => priorities.rank(at, sender));
    const columnOfRanks = upTo(64).map((receiver) => priorities.rank(receiver, at));
    expect(row.sort((a, b) => a - b)).toEqual(upTo(64));
    expect(columnOfRanks.sort((a, b) => a - b)).toEqual(upTo(64));
  }
});

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
    // Per pair of rows, 1 agreement is expected, with a standard deviation of 1: 400 ± 20 for 400 pairs.
    expect(Math.abs(agreements - 400)).toBeLessThan(60);
  });

  it('depends on each bit of a seed of 256 bits, of which it keeps a copy', () => {
    const nodes = 64;
    const rowsOf = (words: Int32Array) => {
      const passed = words.slice();
      const priorities = new IndependentPriorities(nodes, passed);
      passed.fill(0);
      return upTo(nodes).map((sender) => priorities.rank(3, sender));
    };
    const seed = Int32Array.from({ length: 8 }, (_, word) => 0x1234567 * (word + 1));
    const seen = new Set([String(rowsOf(seed))]);
    for (let bit = 0; bit < 256; bit++) {
      const other = seed.slice();
      other[bit >> 5]! ^= 1 << (bit & 31);
      const ranks = rowsOf(other);
      seen.add(String(ranks));
      expect(ranks.sort((a, b) => a - b)).toEqual(upTo(nodes));
    }
    expect(seen.size).toBe(257);
    const wrong = new RangeError('seed: expected 8 words, got 7');
    expect(() => new IndependentPriorities(nodes, new Int32Array(7))).toThrow(wrong);
  });
});
