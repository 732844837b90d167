import type { Tree } from '../overlay/tree.ts';
import { popcount } from './popcount.ts';

/**
 * A set of a block's ids, in {@link SharedSets}: of a block of up to 32 a word, bit b for the block's id b; of a larger
 * one {@link nobody}, {@link everybody} or the number of a pair.
 */
export type SharedSet = number;

export const nobody: SharedSet = 0;
export const everybody: SharedSet = -1;

/** The largest order of a block whose set is a word. */
export const wordOrder = 5;

/**
 * Columns of a pair: the sets of the block's two halves, the next pair of those with the same hash or of the free ones,
 * and twice its references, plus 1 where the halves are words. Number 0 is nobody's.
 */
const column = { left: 0, right: 1, next: 2, references: 3 } as const;
const columns = 4;

/**
 * Sets of ids, divided as the tree divides the nodes: a larger block's set is the pair of its halves' sets, and equal
 * sets are one and the same pair, wherever they occur. So Out_(l+1) takes one pair beside Out_l and In_l, and nodes
 * that have all that there is to have of a subtree share one set of it. Where nobody is dead most sets are whole
 * blocks, and take nothing.
 *
 * Pairs are counted. A set that a method gives is held once for the caller, and so is one that is handed in to be
 * retained.
 */
export class SharedSets {
  readonly #tree: Tree;
  #pairs = new Int32Array(64 * columns);
  /** By hash: the first pair, or 0. As many as there is room for pairs. */
  #heads = new Int32Array(64);
  /** Pairs ever used, with number 0. */
  #used = 1;
  /** The first of the free ones, or 0. */
  #free = 0;
  #held = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Pairs that are held. */
  get held(): number {
    return this.#held;
  }

  /** @param set of a block of an order over {@link wordOrder}. */
  retain(set: SharedSet): void {
    if (set > 0) this.#pairs[set * columns + column.references]! += 2;
  }

  /** @param set of a block of an order over {@link wordOrder}. */
  release(set: SharedSet): void {
    if (set <= 0) return;
    const at = set * columns;
    const pairs = this.#pairs;
    const references = pairs[at + column.references]! - 2;
    pairs[at + column.references] = references;
    if (references > 1) return;
    const left = pairs[at + column.left]!;
    const right = pairs[at + column.right]!;
    this.#unlink(set, this.#hash(left, right, references));
    this.#held--;
    pairs[at + column.next] = this.#free;
    this.#free = set;
    if (references === 1) return;
    this.release(left);
    this.release(right);
  }

  /** All ids of a block of up to 32. */
  fullWord(block: number): SharedSet {
    const size = this.#tree.size(block);
    return size === 32 ? -1 : ~(-1 << size);
  }

  /** A set of the block `own` within a wider one, as a set of that. */
  within(block: number, set: SharedSet, own: number): SharedSet {
    const tree = this.#tree;
    let order = tree.order(own);
    let at = own;
    let wider = set;
    if (order > wordOrder) this.retain(set);
    else {
      const wordBlock = own >>> (Math.min(wordOrder, tree.order(block)) - order);
      wider = set << (tree.start(own) - tree.start(wordBlock));
      order = tree.order(wordBlock);
      at = wordBlock;
    }
    for (; at !== block; at >>>= 1) {
      order++;
      wider = (at & 1) === 0 ? this.#pair(at >>> 1, order, wider, nobody) : this.#pair(at >>> 1, order, nobody, wider);
    }
    return wider;
  }

  /** The union of two disjoint sets, each of `block` or of a block within it, as a set of that. */
  union(block: number, a: SharedSet, blockA: number, b: SharedSet, blockB: number): SharedSet {
    const order = this.#tree.order(block);
    if (order <= wordOrder) return this.within(block, a, blockA) | this.within(block, b, blockB);
    if (blockA === block) {
      return blockB === block ? this.#merged(block, order, a, b) : this.#joined(block, order, a, b, blockB);
    }
    if (blockB === block) return this.#joined(block, order, b, a, blockA);
    const [sideA, sideB] = [this.#side(block, order, blockA), this.#side(block, order, blockB)];
    if (sideA === sideB) {
      const both = this.union(block * 2 + sideA, a, blockA, b, blockB);
      return sideA === 0 ? this.#pair(block, order, both, nobody) : this.#pair(block, order, nobody, both);
    }
    const ofA = this.within(block * 2 + sideA, a, blockA);
    const ofB = this.within(block * 2 + sideB, b, blockB);
    return sideA === 0 ? this.#pair(block, order, ofA, ofB) : this.#pair(block, order, ofB, ofA);
  }

  /** Whether two sets have nobody in common, the first one of a block as large or larger. */
  disjoint(blockA: number, a: SharedSet, blockB: number, b: SharedSet): boolean {
    const tree = this.#tree;
    const orderB = tree.order(blockB);
    let order = tree.order(blockA);
    if (blockB >>> (order - orderB) !== blockA) return true;
    let set = a;
    while (order > wordOrder && order > orderB) {
      if (set === nobody || b === nobody) return true;
      if (set === everybody) return false;
      set = this.#pairs[set * columns + this.#sideOf(blockB >>> (order - 1 - orderB))]!;
      order--;
    }
    if (order > wordOrder) return this.#apart(order, set, b);
    return (set & this.within(blockB >>> (order - orderB), b, blockB)) === 0;
  }

  /** Whether an id of the block is in the set. */
  has(block: number, set: SharedSet, id: number): boolean {
    const tree = this.#tree;
    const leaf = tree.leaf(id);
    let order = tree.order(block);
    let at = set;
    for (; order > wordOrder; order--) {
      if (at === nobody) return false;
      if (at === everybody) return true;
      at = this.#pairs[at * columns + this.#sideOf(leaf >>> (order - 1))]!;
    }
    return ((at >>> (id - tree.start(leaf >>> order))) & 1) === 1;
  }

  /** Sets the set's bits in words of zero, the block's first id at bit `from`. */
  write(block: number, set: SharedSet, words: Int32Array, from = 0): void {
    if (set === nobody) return;
    const order = this.#tree.order(block);
    if (order <= wordOrder) {
      const shift = from & 31;
      words[from >>> 5]! |= set << shift;
      // What goes over into the next word, where there is one: the set may end before.
      if (shift > 0 && set >>> (32 - shift) !== 0) words[(from >>> 5) + 1]! |= set >>> (32 - shift);
      return;
    }
    const left = block * 2;
    const [ofLeft, ofRight] = [this.#half(block, order, set, 0), this.#half(block, order, set, 1)];
    this.write(left, ofLeft, words, from);
    this.write(left + 1, ofRight, words, from + this.#tree.size(left));
  }

  /** The set that {@link write} would write so. */
  read(block: number, words: Int32Array, from = 0): SharedSet {
    const tree = this.#tree;
    const order = tree.order(block);
    const left = block * 2;
    if (order > wordOrder) {
      const ofLeft = this.read(left, words, from);
      return this.#pair(block, order, ofLeft, this.read(left + 1, words, from + tree.size(left)));
    }
    const shift = from & 31;
    let bits = words[from >>> 5]! >>> shift;
    if (shift > 0 && (from >>> 5) + 1 < words.length) bits |= words[(from >>> 5) + 1]! << (32 - shift);
    return bits & this.fullWord(block);
  }

  /** Which half of a block of that order another block within it is in: 0 for the left one. */
  #side(block: number, order: number, within: number): number {
    return (within >>> (order - 1 - this.#tree.order(within))) - block * 2;
  }

  /** The column of a pair where the half lies that is that block. */
  #sideOf(half: number): number {
    return half & 1;
  }

  /** Lent. */
  #half(block: number, order: number, set: SharedSet, side: number): SharedSet {
    if (set === nobody) return nobody;
    if (set !== everybody) return this.#pairs[set * columns + side]!;
    const half = block * 2 + side;
    if (order - 1 === wordOrder) return this.fullWord(half);
    return this.#tree.size(half) === 0 ? nobody : everybody;
  }

  /** The union of a set of the block and one of a block within a half of it. */
  #joined(block: number, order: number, set: SharedSet, other: SharedSet, own: number): SharedSet {
    const side = this.#side(block, order, own);
    const half = block * 2 + side;
    const kept = this.#half(block, order, set, 1 - side);
    if (order - 1 > wordOrder) this.retain(kept);
    const both = this.union(half, this.#half(block, order, set, side), half, other, own);
    return side === 0 ? this.#pair(block, order, both, kept) : this.#pair(block, order, kept, both);
  }

  /** The union of two sets of the block. */
  #merged(block: number, order: number, a: SharedSet, b: SharedSet): SharedSet {
    if (a === b || b === nobody || a === everybody) {
      this.retain(a);
      return a;
    }
    if (a === nobody || b === everybody) {
      this.retain(b);
      return b;
    }
    const [leftA, rightA] = [this.#pairs[a * columns]!, this.#pairs[a * columns + 1]!];
    const [leftB, rightB] = [this.#pairs[b * columns]!, this.#pairs[b * columns + 1]!];
    if (order - 1 === wordOrder) return this.#pair(block, order, leftA | leftB, rightA | rightB);
    const left = this.#merged(block * 2, order - 1, leftA, leftB);
    return this.#pair(block, order, left, this.#merged(block * 2 + 1, order - 1, rightA, rightB));
  }

  #apart(order: number, a: SharedSet, b: SharedSet): boolean {
    if (a === nobody || b === nobody) return true;
    if (a === b || a === everybody || b === everybody) return false;
    const pairs = this.#pairs;
    const [leftA, rightA] = [pairs[a * columns]!, pairs[a * columns + 1]!];
    const [leftB, rightB] = [pairs[b * columns]!, pairs[b * columns + 1]!];
    if (order - 1 === wordOrder) return (leftA & leftB) === 0 && (rightA & rightB) === 0;
    return this.#apart(order - 1, leftA, leftB) && this.#apart(order - 1, rightA, rightB);
  }

  /** The set of a block of that order that has these halves, which are handed over. */
  #pair(block: number, order: number, left: SharedSet, right: SharedSet): SharedSet {
    if (left === nobody && right === nobody) return nobody;
    if (this.#isWhole(block, order, left, right)) return everybody;
    const ofWords = order - 1 === wordOrder ? 1 : 0;
    const pairs = this.#pairs;
    const hash = this.#hash(left, right, ofWords);
    for (let known = this.#heads[hash]!; known !== 0; known = pairs[known * columns + column.next]!) {
      const at = known * columns;
      if (pairs[at] !== left || pairs[at + 1] !== right || (pairs[at + column.references]! & 1) !== ofWords) continue;
      pairs[at + column.references]! += 2;
      if (ofWords === 0) {
        this.release(left);
        this.release(right);
      }
      return known;
    }
    return this.#newPair(left, right, ofWords);
  }

  #isWhole(block: number, order: number, left: SharedSet, right: SharedSet): boolean {
    if (order - 1 > wordOrder) {
      return left === everybody && (right === everybody || (right === nobody && this.#tree.size(block * 2 + 1) === 0));
    }
    // A full word is a run of ones from bit 0 on, which few others are.
    if (left === 0 || (left & (left + 1)) !== 0 || (right & (right + 1)) !== 0) return false;
    return left === this.fullWord(block * 2) && right === this.fullWord(block * 2 + 1);
  }

  #newPair(left: SharedSet, right: SharedSet, ofWords: number): SharedSet {
    let set = this.#free;
    if (set !== 0) this.#free = this.#pairs[set * columns + column.next]!;
    else {
      if (this.#used === this.#heads.length) this.#grow();
      set = this.#used++;
    }
    const at = set * columns;
    this.#pairs[at] = left;
    this.#pairs[at + 1] = right;
    this.#pairs[at + column.references] = 2 + ofWords;
    this.#link(set);
    this.#held++;
    return set;
  }

  #grow(): void {
    const larger = new Int32Array(this.#pairs.length * 2);
    larger.set(this.#pairs);
    this.#pairs = larger;
    this.#heads = new Int32Array(this.#heads.length * 2);
    // None is free, or there would be no need to grow.
    for (let set = 1; set < this.#used; set++) this.#link(set);
  }

  #link(set: SharedSet): void {
    const pairs = this.#pairs;
    const at = set * columns;
    const hash = this.#hash(pairs[at]!, pairs[at + 1]!, pairs[at + column.references]! & 1);
    pairs[at + column.next] = this.#heads[hash]!;
    this.#heads[hash] = set;
  }

  #unlink(set: SharedSet, hash: number): void {
    const pairs = this.#pairs;
    const next = pairs[set * columns + column.next]!;
    let before = this.#heads[hash]!;
    if (before === set) {
      this.#heads[hash] = next;
      return;
    }
    while (pairs[before * columns + column.next] !== set) before = pairs[before * columns + column.next]!;
    pairs[before * columns + column.next] = next;
  }

  #hash(left: SharedSet, right: SharedSet, ofWords: number): number {
    const mixed = Math.imul(Math.imul(left, 0x9e3779b1) ^ right ^ ofWords, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & (this.#heads.length - 1);
  }
}

/** How many are in a set's words. */
export function countOf(words: Int32Array): number {
  let count = 0;
  for (const word of words) count += popcount(word);
  return count;
}
