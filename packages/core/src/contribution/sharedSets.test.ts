import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOf, idsOfBlock, wordsOf } from '../../test/sets.ts';
import { Tree, treeForms } from '../overlay/tree.ts';
import { countOf, emptySet, fullSet, type SharedSet, SharedSets, wordOrder } from './sharedSets.ts';

const anyTree = fc
  .record({
    nodes: fc.constantFrom(33, 63, 64, 65, 100, 129, 200, 257, 300, 600, 1024),
    form: fc.constantFrom(...treeForms),
  })
  .map(({ nodes, form }) => new Tree(nodes, form));

/** Selections of a block's ids: every n-th id of a range, all ids, or none. */
const anyPart = fc
  .record({ step: fc.integer({ min: 0, max: 7 }), from: fc.nat(40), to: fc.integer({ min: 1, max: 700 }) })
  .map(
    ({ step, from, to }) =>
      (ids: readonly number[]): number[] =>
        step === 0 ? [...ids] : ids.filter((_, place) => place >= from && place < to && place % step === 0),
  );

const setOf = (sets: SharedSets, tree: Tree, block: number, ids: Iterable<number>): SharedSet =>
  sets.read(block, wordsOf(tree, block, ids));

function letGo(sets: SharedSets, tree: Tree, block: number, ...all: SharedSet[]): void {
  for (const set of all) if (tree.order(block) > wordOrder) sets.release(set);
}

describe('SharedSets', () => {
  it('contains the added ids, in blocks of any size', () => {
    fc.assert(
      fc.property(anyTree, fc.nat(), fc.nat(), anyPart, (tree, id, order, part) => {
        const sets = new SharedSets(tree);
        const block = blockOf(tree, id % tree.nodes, order % (tree.levels + 1));
        const all = idsOfBlock(tree, block);
        const ids = part(all);
        const set = setOf(sets, tree, block, ids);
        expect(all.filter((one) => sets.has(block, set, one))).toEqual(ids);
        const words = new Int32Array((all.length + 31) >>> 5);
        sets.write(block, set, words);
        expect(words).toEqual(wordsOf(tree, block, ids));
        expect(countOf(words)).toBe(ids.length);
        if (tree.order(block) > wordOrder) {
          expect(set === fullSet).toBe(ids.length === all.length);
          expect(set === emptySet).toBe(ids.length === 0);
        }
        letGo(sets, tree, block, set);
        expect(sets.held).toBe(0);
      }),
    );
  });

  it('unites sets of any two blocks in a third one, and detects common ids', () => {
    const place = fc.record({ id: fc.nat(), order: fc.nat(), part: anyPart });
    fc.assert(
      fc.property(anyTree, place, place, (tree, first, second) => {
        const sets = new SharedSets(tree);
        const [a, b] = [first, second].map(({ id, order, part }) => {
          const block = blockOf(tree, id % tree.nodes, order % (tree.levels + 1));
          const ids = new Set(part(idsOfBlock(tree, block)));
          return { block, ids, set: setOf(sets, tree, block, ids) };
        }) as [
          { block: number; ids: Set<number>; set: SharedSet },
          { block: number; ids: Set<number>; set: SharedSet },
        ];
        const isApart = ![...a.ids].some((id) => b.ids.has(id));
        const [wide, narrow] = tree.order(a.block) >= tree.order(b.block) ? [a, b] : [b, a];
        expect(sets.disjoint(wide.block, wide.set, narrow.block, narrow.set)).toBe(isApart);
        if (isApart) {
          const together = sets.union(1, a.set, a.block, b.set, b.block);
          const same = setOf(sets, tree, 1, [...a.ids, ...b.ids]);
          expect(together).toBe(same);
          letGo(sets, tree, 1, together, same);
        }
        letGo(sets, tree, a.block, a.set);
        letGo(sets, tree, b.block, b.set);
        expect(sets.held).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('stores equal sets once, however they were made', () => {
    const tree = new Tree(256);
    const sets = new SharedSets(tree);
    const left = setOf(sets, tree, 2, [3, 77]);
    const before = sets.held;
    expect(setOf(sets, tree, 2, [3, 77])).toBe(left);
    expect(sets.held).toBe(before);
    // The corresponding set in the upper half is the same pair, because a set does not store its block.
    expect(setOf(sets, tree, 3, [131, 205])).toBe(left);
    expect(sets.held).toBe(before);
  });

  it('separates thousands of sets while it grows', () => {
    const tree = new Tree(512);
    const sets = new SharedSets(tree);
    const all = Array.from({ length: 3000 }, (_, number) => {
      const ids = idsOfBlock(tree, 1).filter((id) => ((number >>> (id % 12)) ^ (id >>> 6)) & 1);
      return { ids, set: setOf(sets, tree, 1, ids) };
    });
    for (const { ids, set } of all.filter((_, number) => number % 37 === 0)) {
      expect(idsOfBlock(tree, 1).filter((id) => sets.has(1, set, id))).toEqual(ids);
    }
    for (const { set } of all) sets.release(set);
    expect(sets.held).toBe(0);
  });
});
