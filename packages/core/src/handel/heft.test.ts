import { expect, it } from 'vitest';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { Stakes } from '../stakes/stakes.ts';
import { heftOf, heftOfSigner, isHeavier } from './heft.ts';

const tree = new Tree(4);
const contributions = (scheme: CountingScheme) => {
  const [a, b, c] = [0, 1, 2].map((id) => scheme.individual(id)) as [number, number, number];
  return { c, both: scheme.aggregate(tree.ownBlock(0, 2), a, b) };
};

it('counts signers where all weigh the same', () => {
  const scheme = new CountingScheme(tree);
  const { c, both } = contributions(scheme);
  expect([heftOf(scheme, c), heftOf(scheme, both), heftOfSigner(scheme, 2)]).toEqual([1, 2, 1]);
  expect([isHeavier(scheme, both, c), isHeavier(scheme, c, both)]).toEqual([true, false]);
});

it('adds up what signers weigh where they differ: one may outweigh two', () => {
  const stakes = new Stakes(tree, [1n, 1n, 100n, 1n]);
  const scheme = new CountingScheme(tree, stakes);
  const { c, both } = contributions(scheme);
  expect([heftOf(scheme, c), heftOf(scheme, both)]).toEqual([stakes.score(2), stakes.score(0) + stakes.score(1)]);
  expect(heftOfSigner(scheme, 2)).toBe(stakes.score(2));
  expect([isHeavier(scheme, both, c), isHeavier(scheme, c, both)]).toEqual([false, true]);
});
