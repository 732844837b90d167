import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyPart,
  blockOf,
  commonBlock,
  contributionOf,
  idsOfBlock,
  signersInWords,
  signersOf,
} from '../../test/sets.ts';
import { upTo } from '../../test/sizes.ts';
import { Tree, treeForms } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import { CountingScheme } from './countingScheme.ts';

/** Tree sizes with full and truncated blocks, including blocks that fit into one word (order at most 5). */
const nodes = fc.constantFrom(1, 2, 3, 5, 13, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 257, 300, 600);

const anyBlock = fc
  .record({ nodes, form: fc.constantFrom(...treeForms), id: fc.nat(), order: fc.nat() })
  .map(({ nodes, form, id, order }) => {
    const tree = new Tree(nodes, form);
    return { tree, block: blockOf(tree, id % nodes, order % (tree.levels + 1)) };
  });

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** Compares every property of a contribution with the property expected for the set. */
function expectSet(scheme: CountingScheme, contribution: Contribution, block: number, set: ReadonlySet<number>): void {
  const { tree } = scheme;
  expect(scheme.block(contribution)).toBe(block);
  expect(scheme.weight(contribution)).toBe(set.size);
  expect(signersInWords(tree, block, scheme.setWords(contribution))).toEqual(sorted(set));
  expect(signersOf(scheme, contribution)).toEqual(sorted(set));
  expect(scheme.isFull(contribution)).toBe(set.size === tree.size(block));
  for (const outside of [-1, tree.start(block) - 1, tree.start(block) + tree.size(block), tree.nodes, 2 ** 30])
    expect(scheme.contains(contribution, outside)).toBe(false);
}

describe('BitsetScheme', () => {
  it('v1.03 2.1: contributions over any two blocks are aggregatable when they have no individual contribution in common, and Aggr is their union', () => {
    fc.assert(
      fc.property(anyBlock, fc.nat(), fc.nat(), anyPart, anyPart, ({ tree, block }, id, order, partA, partB) => {
        const scheme = new CountingScheme(tree);
        const other = blockOf(tree, id % tree.nodes, order % (tree.levels + 1));
        const setA = new Set(partA(idsOfBlock(tree, block)));
        const setB = new Set(partB(idsOfBlock(tree, other)));
        const a = contributionOf(scheme, block, setA);
        const b = contributionOf(scheme, other, setB);
        const disjoint = ![...setA].some((signer) => setB.has(signer));
        expect(scheme.aggregatable(a, b)).toBe(disjoint);
        expect(scheme.aggregatable(b, a)).toBe(disjoint);
        if (!disjoint || setA.size === 0 || setB.size === 0) return;
        // Aggregates over the smallest common block and over each of its ancestors.
        for (let wide = commonBlock(scheme, a, b); wide >= 1; wide >>>= 1) {
          for (const both of [scheme.aggregate(wide, a, b), scheme.aggregate(wide, b, a)]) {
            expectSet(scheme, both, wide, new Set([...setA, ...setB]));
            scheme.release(both);
          }
        }
        scheme.release(a);
        scheme.release(b);
        expect(scheme.held).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('noContribution is empty and disjoint with every contribution', () => {
    const scheme = new CountingScheme(new Tree(40));
    const some = contributionOf(scheme, 1, [3, 39]);
    expect(scheme.weight(noContribution)).toBe(0);
    expect(scheme.contains(noContribution, 0)).toBe(false);
    expect(scheme.isFull(noContribution)).toBe(false);
    expect(
      scheme.aggregatable(noContribution, some) &&
        scheme.aggregatable(some, noContribution) &&
        scheme.aggregatable(noContribution, noContribution),
    ).toBe(true);
    scheme.retain(noContribution);
    scheme.release(noContribution);
    scheme.release(noContribution);
  });

  it('returns the words of a set as a copy, so that no reader can change a contribution', () => {
    const scheme = new CountingScheme(new Tree(100));
    for (const block of [1, blockOf(scheme.tree, 0, 4)]) {
      const some = contributionOf(scheme, block, [1, 3]);
      scheme.setWords(some).fill(-1);
      expect(signersOf(scheme, some)).toEqual([1, 3]);
    }
    scheme.setWords(1).fill(0);
    expect(scheme.weight(1)).toBe(100);
    expect(scheme.contains(1, 99)).toBe(true);
  });

  it('leaves every contribution unchanged through any sequence of aggregating, retaining and releasing', () => {
    const step = fc.record({ what: fc.nat(9), a: fc.nat(), b: fc.nat(), up: fc.nat(3) });
    fc.assert(
      fc.property(nodes, fc.array(step, { minLength: 20, maxLength: 150 }), (size, steps) => {
        const tree = new Tree(size);
        const scheme = new CountingScheme(tree);
        const live: { contribution: Contribution; block: number; set: Set<number>; holds: number }[] = [];
        const add = (contribution: Contribution, block: number, set: Set<number>): void => {
          live.push({ contribution, block, set, holds: 1 });
        };
        for (const { what, a, b, up } of steps) {
          if (what <= 3 || live.length === 0) {
            // A contribution over a random block that contains every n-th id of the block.
            const block = blockOf(tree, a % size, (b >>> 4) % (tree.levels + 1));
            const set = idsOfBlock(tree, block).filter((_, index) => index % ((b & 7) + 1) === 0);
            add(contributionOf(scheme, block, set), block, new Set(set));
          } else if (what <= 6) {
            const [one, other] = [live[a % live.length]!, live[b % live.length]!];
            const disjoint = ![...one.set].some((id) => other.set.has(id));
            expect(scheme.aggregatable(one.contribution, other.contribution)).toBe(disjoint);
            if (!disjoint) continue;
            const wide = Math.max(1, commonBlock(scheme, one.contribution, other.contribution) >>> up);
            const both = scheme.aggregate(wide, one.contribution, other.contribution);
            add(both, wide, new Set([...one.set, ...other.set]));
          } else if (what === 7) {
            const one = live[a % live.length]!;
            scheme.retain(one.contribution);
            one.holds++;
          } else {
            const index = a % live.length;
            scheme.release(live[index]!.contribution);
            if (--live[index]!.holds === 0) live.splice(index, 1);
          }
        }
        for (const { contribution, block, set } of live) expectSet(scheme, contribution, block, set);
        for (const { contribution, holds } of live)
          for (let hold = 0; hold < holds; hold++) scheme.release(contribution);
        expect(scheme.held).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('refuses to aggregate over a block that does not contain both contributions', () => {
    const scheme = new CountingScheme(new Tree(64));
    const [inside, outside] = [scheme.individual(0), scheme.individual(63)];
    for (const [a, b] of [[inside, outside] as const, [outside, inside] as const])
      expect(() => scheme.aggregate(2, a, b)).toThrow('expected a contribution over block 2 or over a block within it');
  });

  describe('references', () => {
    it('throw on each release without a reference', () => {
      const scheme = new CountingScheme(new Tree(64));
      const some = contributionOf(scheme, 1, [0, 5, 63]);
      scheme.release(some);
      expect(() => scheme.release(some)).toThrow(/released more often than retained/);
      expect(() => scheme.release(some)).toThrow(RangeError);
      expect(scheme.held).toBe(0);
    });

    it('never throw for a full contribution without a row, and never count it as retained', () => {
      const scheme = new CountingScheme(new Tree(64));
      const full = contributionOf(scheme, 1, upTo(64));
      expect(scheme.held).toBe(0);
      scheme.release(full);
      scheme.release(full);
      expect(scheme.weight(full)).toBe(64);
    });
  });

  it('support the largest registry', () => {
    const tree = new Tree(2 ** 20);
    const scheme = new CountingScheme(tree);
    const half = scheme.aggregate(1, tree.leafBase >>> 19, scheme.individual(2 ** 20 - 1));
    expect(scheme.weight(half)).toBe(2 ** 19 + 1);
    expect(scheme.contains(half, 2 ** 20 - 1) && scheme.contains(half, 0) && !scheme.contains(half, 2 ** 19)).toBe(
      true,
    );
    scheme.release(half);
    expect(scheme.held).toBe(0);
  });
});
