import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree, treeForms } from '../overlay/tree.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';
import { sumOf, Union, wholeRegistry } from './union.ts';

const nodes = 600;

function unionOf(threshold: number) {
  const scheme = new CountingScheme(new Tree(nodes));
  const outputs: number[] = [];
  const port = { output: (contribution: Contribution) => void outputs.push(scheme.weight(contribution)) } as Port;
  return { scheme, outputs, union: new Union(scheme, port, threshold, scheme.individual(0)) };
}

test('the union sums its contributions lazily, and contains all of them when it is read', () => {
  const { scheme, union } = unionOf(nodes);
  // The number of contributions exceeds the limit of the waiting list.
  for (let id = 1; id < 500; id++) {
    union.add(scheme.individual(id));
    expect(union.weight).toBe(id + 1);
  }
  const { contribution } = union;
  expect(scheme.block(contribution)).toBe(wholeRegistry);
  expect(scheme.weight(contribution)).toBe(500);
  for (let id = 0; id < nodes; id++) expect(scheme.contains(contribution, id)).toBe(id < 500);
  expect(scheme.held).toBe(1);
});

test('the union adds wider contributions to the waiting ones', () => {
  const { scheme, union } = unionOf(nodes);
  union.add(scheme.individual(9));
  const two = scheme.aggregate(wholeRegistry, scheme.individual(3), scheme.individual(590));
  union.add(two);
  scheme.release(two);
  expect(union.weight).toBe(4);
  for (const id of [0, 3, 9, 590]) expect(scheme.contains(union.contribution, id)).toBe(true);
});

test('the union has no waiting contribution after a replacement', () => {
  const { scheme, union } = unionOf(nodes);
  union.add(scheme.individual(9));
  union.replace(scheme.aggregate(wholeRegistry, scheme.individual(3), noContribution));
  expect([union.weight, scheme.weight(union.contribution), scheme.held]).toEqual([1, 1, 1]);
});

test('the union gives an output at the threshold and for each later contribution', () => {
  const { scheme, union, outputs } = unionOf(4);
  for (let id = 1; id < 7; id++) {
    union.add(scheme.individual(id));
    union.offer();
  }
  union.offer();
  expect(outputs).toEqual([4, 5, 6, 7]);
});

test('the sum of individual contributions contains exactly its individual contributions, over the smallest block that holds them, in a tree of any size', () => {
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
      const all = ids.map((id) => scheme.individual(id));
      const sum = sumOf(scheme, all);
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

test('the sum of individual contributions does not verify with a forged contribution', () => {
  const tree = new Tree(40);
  const scheme = new CountingScheme(tree);
  const forged = scheme.forge(tree.leaf(7), undefined);
  expect(scheme.verify(sumOf(scheme, [scheme.individual(30), forged, scheme.individual(8)]))).toBe(false);
});
