import fc from 'fast-check';
import type { BitsetScheme } from '../src/contribution/bitsetScheme.ts';
import { CountingScheme } from '../src/contribution/countingScheme.ts';
import type { AggregationScheme } from '../src/contribution/scheme.ts';
import type { Tree } from '../src/overlay/tree.ts';
import { type Contribution, noContribution } from '../src/protocol.ts';
import { RandomStream } from '../src/random.ts';
import { upTo } from './sizes.ts';

/** Returns the ids of a block, in order. */
export function idsOfBlock(tree: Tree, block: number): number[] {
  return upTo(tree.size(block)).map((index) => tree.start(block) + index);
}

/** Returns the signers of a contribution, in order of id. */
export function signersOf(scheme: AggregationScheme, contribution: Contribution): number[] {
  if (contribution === noContribution) return [];
  return idsOfBlock(scheme.tree, scheme.block(contribution)).filter((id) => scheme.contains(contribution, id));
}

/** Returns the same set as {@link signersOf}, read from words with independent code. */
export function signersInWords(tree: Tree, block: number, words: Int32Array): number[] {
  return upTo(words.length * 32)
    .filter((bit) => ((words[bit >>> 5]! >>> (bit & 31)) & 1) === 1)
    .map((bit) => tree.start(block) + bit);
}

/** Returns a set as words over a block's ids. */
export function wordsOf(tree: Tree, block: number, signers: Iterable<number>): Int32Array {
  const words = new Int32Array((tree.size(block) + 31) >>> 5);
  for (const id of signers) words[(id - tree.start(block)) >>> 5]! |= 1 << ((id - tree.start(block)) & 31);
  return words;
}

/** Aggregates individual contributions over a block. The caller holds one reference to the result. */
export function contributionOf(scheme: CountingScheme, block: number, signers: Iterable<number>): Contribution {
  let made: Contribution = noContribution;
  for (const id of signers) {
    const wider = scheme.aggregate(block, made, scheme.individual(id));
    scheme.release(made);
    made = wider;
  }
  return made;
}

/** A scheme whose contributions may overlap, as with proofs. */
export class UnionScheme extends CountingScheme {
  override aggregatable(): boolean {
    return true;
  }

  newWeight(a: Contribution, over: Contribution): number {
    return signersOf(this, a).filter((id) => !this.contains(over, id)).length;
  }

  override aggregate(block: number, a: Contribution, b: Contribution): Contribution {
    const signers = new Set([...signersOf(this, a), ...signersOf(this, b)]);
    return this.newContribution(block, wordsOf(this.tree, block, signers));
  }
}

/** Returns an invalid contribution with the given signers. */
export function forgeryOf(scheme: CountingScheme, block: number, signers: Iterable<number>): Contribution {
  return scheme.forge(block, wordsOf(scheme.tree, block, signers));
}

/** Returns the smallest block that contains the blocks of both contributions. */
export function commonBlock(scheme: BitsetScheme, a: Contribution, b: Contribution): number {
  let blockA = scheme.block(a);
  let blockB = scheme.block(b);
  while (blockA !== blockB) {
    if (blockA > blockB) blockA >>>= 1;
    else blockB >>>= 1;
  }
  return blockA;
}

/** Returns a block that is not empty: the subtree of `order` that contains an id. */
export const blockOf = (tree: Tree, id: number, order: number): number => tree.leaf(id) >>> order;

/** Selects a random subset of some ids: none, few, many or all of them. */
export const anyPart: fc.Arbitrary<(ids: readonly number[]) => number[]> = fc
  .record({ seed: fc.nat(), density: fc.constantFrom(0, 0.05, 0.3, 0.5, 0.9, 1) })
  .map(({ seed, density }) => (ids: readonly number[]) => {
    const random = new RandomStream(seed, 'part');
    return ids.filter(() => random.nextUnit() < density);
  });
