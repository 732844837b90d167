import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySize, sizes, upTo } from '../../test/sizes.ts';
import { branchings, levelCount, type PeerSet, peerSet, Tree, treeForms } from './tree.ts';

const anyForm = fc.constantFrom(...treeForms);
const anyBranching = fc.constantFrom(...branchings);

const ids = ({ start, end }: PeerSet): number[] => upTo(end - start).map((index) => start + index);

it('levelCount is ceil(log2 N)', () => {
  const counts = [1, 2, 3, 4, 5, 8, 9, 1000, 1024, 1025, 2 ** 20].map((nodes) => levelCount(nodes));
  expect(counts).toEqual([0, 1, 2, 2, 3, 3, 4, 10, 10, 11, 20]);
});

it('v1.03 6: levelCount is k - 1 per tier with a branching factor of k, fewer on a top tier with fewer children', () => {
  const counts = [1, 2, 3, 4, 5, 8, 9, 16, 1024, 1025].map((nodes) => levelCount(nodes, 4));
  expect(counts).toEqual([0, 1, 3, 3, 4, 4, 6, 6, 15, 16]);
  expect([1, 2, 4, 8, 9, 64, 512, 1024].map((nodes) => levelCount(nodes, 8))).toEqual([0, 1, 3, 7, 8, 14, 21, 22]);
});

describe('peerSet', () => {
  it('v1.03 figures 1 and 2: node 5 of 8 partitions the network into {5}, {4}, {6, 7} and {0, 1, 2, 3}', () => {
    expect(upTo(4).map((level) => ids(peerSet(5, level, 8)))).toEqual([[5], [4], [6, 7], [0, 1, 2, 3]]);
  });

  it('v1.03 3.2: the peer sets of all levels partition the ids, for every node', () => {
    for (const [form, branching] of treeForms.flatMap((one) => branchings.map((k) => [one, k] as const))) {
      for (const nodes of sizes) {
        for (let id = 0; id < nodes; id++) {
          const count = levelCount(nodes, branching);
          const all = upTo(count + 1).flatMap((level) => ids(peerSet(id, level, nodes, form, branching)));
          all.sort((a, b) => a - b);
          expect(all, `node ${id} of ${nodes}`).toEqual(upTo(nodes));
        }
      }
    }
  });

  it('v1.03 6: with four children, each of the three siblings is a separate level', () => {
    const of = (id: number) => upTo(6).map((level) => ids(peerSet(id, level + 1, 16, 'spread', 4)));
    expect(of(5)).toEqual([[4], [7], [6], [0, 1, 2, 3], [12, 13, 14, 15], [8, 9, 10, 11]]);
    expect(of(0)).toEqual([[1], [2], [3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]);
  });

  it('v1.03 3.1: is symmetrical', () => {
    fc.assert(
      fc.property(anySize, anyForm, anyBranching, fc.nat(), (nodes, form, k, a) => {
        const id = a % nodes;
        for (let level = 0; level <= levelCount(nodes, k); level++) {
          for (const peer of ids(peerSet(id, level, nodes, form, k)))
            expect(ids(peerSet(peer, level, nodes, form, k))).toContain(id);
        }
      }),
    );
  });

  it('is empty if N is not a power of two and no node is in the sibling subtree', () => {
    expect([1, 2, 3].map((level) => ids(peerSet(4, level, 5)))).toEqual([[], [3], [0, 1, 2]]);
    expect([1, 2, 3, 4, 5].map((level) => ids(peerSet(16, level, 17)).length)).toEqual([0, 1, 2, 4, 9]);
    const packed = (id: number, level: number, nodes: number) => ids(peerSet(id, level, nodes, 'packed'));
    expect([1, 2, 3].map((level) => packed(4, level, 5))).toEqual([[], [], [0, 1, 2, 3]]);
    expect([1, 2, 3, 4, 5].map((level) => packed(16, level, 17).length)).toEqual([0, 0, 0, 0, 16]);
    expect(packed(12, 1, 13)).toEqual([]);
    expect(packed(0, 4, 13)).toEqual([8, 9, 10, 11, 12]);
  });

  it('has as many peers as its own side has nodes, or one more or fewer; only level 1 can be empty', () => {
    for (const nodes of [...sizes, 1000, 1025, 1040, 4000]) {
      const tree = new Tree(nodes);
      const uneven: [id: number, level: number, own: number, peers: number][] = [];
      for (let id = 0; id < nodes; id++) {
        for (let level = 1; level <= tree.levels; level++) {
          const [own, peers] = [tree.size(tree.ownBlock(id, level)), tree.size(tree.peerBlock(id, level))];
          if (!(Math.abs(own - peers) <= 1 && (level === 1 || peers > 0))) uneven.push([id, level, own, peers]);
        }
      }
      expect(uneven, `of ${nodes} nodes`).toEqual([]);
    }
  });

  it('reports the wrong argument', () => {
    expect(() => peerSet(0, 0, 0)).toThrow('nodes: expected an integer from 1 to 1048576, got 0');
    expect(() => peerSet(8, 1, 8)).toThrow('id: expected an integer from 0 to 7, got 8');
    for (const id of [-1, 0.5]) expect(() => peerSet(id, 1, 8)).toThrow(RangeError);
    expect(() => peerSet(0, 4, 8)).toThrow('level: expected an integer from 0 to 3, got 4');
    expect(() => new Tree(8, 'spread', 3 as never)).toThrow('branching: expected 2 or 4 or 8, got 3');
    for (const nodes of [2 ** 20 + 1, 1.5, Number.NaN]) expect(() => new Tree(nodes)).toThrow(RangeError);
  });
});

describe('Tree', () => {
  it('peerBlock and peerSet contain the same ids', () => {
    fc.assert(
      fc.property(anySize, anyForm, anyBranching, fc.nat(), (nodes, form, k, a) => {
        const tree = new Tree(nodes, form, k);
        const id = a % nodes;
        for (let level = 1; level <= tree.levels; level++) {
          const block = tree.peerBlock(id, level);
          const { start, end } = peerSet(id, level, nodes, form, k);
          expect(tree.size(block)).toBe(end - start);
          expect(tree.order(block)).toBe(tree.levelOrder(level));
          expect(tree.levelOrder(level)).toBe(tree.tier(level) * Math.log2(k));
          expect(tree.start(block)).toBe(start);
          expect([-1, ...upTo(nodes + 1)].filter((other) => tree.contains(block, other))).toEqual(ids({ start, end }));
        }
      }),
    );
  });

  it("a node's block below level l contains the node and its peers of all lower tiers", () => {
    fc.assert(
      fc.property(anySize, anyForm, anyBranching, fc.nat(), (nodes, form, k, a) => {
        const tree = new Tree(nodes, form, k);
        const id = a % nodes;
        for (let level = 1; level <= tree.levels + 1; level++) {
          const below = upTo(tree.firstOfTier(level)).flatMap((under) => ids(peerSet(id, under, nodes, form, k)));
          const block = tree.ownBlock(id, level);
          expect(upTo(nodes).filter((other) => tree.contains(block, other))).toEqual(below.sort((x, y) => x - y));
          expect(tree.size(block)).toBe(below.length);
        }
        expect(tree.ownBlock(id, tree.levels + 1)).toBe(1);
      }),
    );
  });

  it('assigns each id its own leaf, in the order of ids', () => {
    for (const form of treeForms) {
      for (const nodes of [...sizes, 2 ** 19 + 1, 2 ** 20 - 1]) {
        const tree = new Tree(nodes, form);
        let before = tree.leafBase - 1;
        const step = nodes > 1000 ? 97 : 1;
        for (let id = 0; id < nodes; id += step) {
          const leaf = tree.leaf(id);
          if (leaf <= before || tree.start(leaf) !== id || tree.size(leaf) !== 1) expect([id, leaf]).toEqual([]);
          before = leaf;
        }
        expect(before).toBeLessThan(2 * tree.leafBase);
        expect(tree.size(1)).toBe(nodes);
      }
    }
  });

  it('block 1 contains all ids, up to 2^20 of them', () => {
    const tree = new Tree(2 ** 20);
    expect([tree.levels, tree.size(1), tree.start(1), tree.order(1)]).toEqual([20, 2 ** 20, 0, 20]);
    expect(tree.contains(1, 2 ** 20 - 1)).toBe(true);
    expect(tree.contains(1, 2 ** 20)).toBe(false);
    expect(tree.size(tree.peerBlock(2 ** 20 - 1, 1))).toBe(1);
  });
});
