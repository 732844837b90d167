import { describe, expect, it } from 'vitest';
import { describePriorities, prioritisationVector } from '../../test/priorities.ts';
import { sizes, upTo } from '../../test/sizes.ts';
import { Tree } from './tree.ts';
import { ShiftedPriorities } from './verificationPriority.ts';

describePriorities('ShiftedPriorities', (nodes, seed) => new ShiftedPriorities(nodes, seed));

describe('ShiftedPriorities over a packed tree', () => {
  it('has at most as many positions as the next power of two of the peers', () => {
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
});

describe('ShiftedPriorities', () => {
  it('gives a sender a different rank at every receiver', () => {
    for (const nodes of sizes) {
      const priorities = new ShiftedPriorities(nodes, 5);
      for (let sender = 0; sender < nodes; sender++) {
        expect(new Set(upTo(nodes).map((receiver) => priorities.rank(receiver, sender))).size).toBe(nodes);
      }
    }
  });

  it('has permutations of [0, N) as rows and columns if N is a power of two', () => {
    const priorities = new ShiftedPriorities(64, 2);
    for (let at = 0; at < 64; at++) {
      const row = upTo(64).map((sender) => priorities.rank(at, sender));
      const columnOfRanks = upTo(64).map((receiver) => priorities.rank(receiver, at));
      expect(row.sort((a, b) => a - b)).toEqual(upTo(64));
      expect(columnOfRanks.sort((a, b) => a - b)).toEqual(upTo(64));
    }
  });
});
