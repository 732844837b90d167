import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree, treeForms } from '../overlay/tree.ts';
import { sumOf } from './union.ts';

describe('the sum of individual contributions', () => {
  test('contains exactly its individual contributions, over the smallest block that holds them, in a tree of any size', () => {
    const some = fc
      .record({ nodes: fc.integer({ min: 1, max: 300 }), form: fc.constantFrom(...treeForms) })
      .chain(({ nodes, form }) =>
        fc.record({
          tree: fc.constant(new Tree(nodes, form)),
          ids: fc.uniqueArray(fc.integer({ min: 0, max: nodes - 1 }), { minLength: 1 }),
        }),
      );
    fc.assert(
      fc.property(some, ({ tree, ids }) => {
        const scheme = new CountingScheme(tree);
        const sum = sumOf(
          scheme,
          ids.map((id) => scheme.individual(id)),
        );
        expect(scheme.weight(sum)).toBe(ids.length);
        for (const id of ids) expect(scheme.contains(sum, id)).toBe(true);
        const block = scheme.block(sum);
        const halves = [block * 2, block * 2 + 1];
        if (ids.length > 1) {
          expect(halves.every((half) => ids.some((id) => tree.contains(half, id)))).toBe(true);
        } else expect(block).toBe(tree.leaf(ids[0]!));
        scheme.release(sum);
        expect(scheme.held).toBe(0);
      }),
    );
  });

  test('does not verify with a forged contribution', () => {
    const tree = new Tree(40);
    const scheme = new CountingScheme(tree);
    const forged = scheme.forge(tree.leaf(7), undefined);
    expect(scheme.verify(sumOf(scheme, [scheme.individual(30), forged, scheme.individual(8)]))).toBe(false);
  });
});
