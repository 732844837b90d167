import type { Tree } from '../overlay/tree.ts';

/**
 * A set of a block's ids, in {@link SharedSets}. For a block of up to 32 leaves, the set is a word: bit b is the
 * block's id b. For a larger block, the set is {@link emptySet}, {@link fullSet} or the number of a pair.
 */
export type SharedSet = number;

/** Set without any id of its block. */
export const emptySet: SharedSet = 0;
/** Set of all ids of a block whose order is greater than {@link wordOrder}. */
export const fullSet: SharedSet = -1;

/** Maximum order of a block whose set is stored as a word. */
export const wordOrder = 5;

/**
 * Columns of a pair: the sets of the block's two halves; the next pair of the same hash chain or of the free list; and
 * twice the reference count, plus 1 if the halves are words. Pair 0 is unused.
 */
const column = { left: 0, right: 1, next: 2, references: 3 } as const;
const columns = 4;

/**
 * Sets of ids, divided in the same way as the tree divides the nodes. The set of a larger block is a pair of sets, one
 * for each half of the block. Equal sets are stored as the same pair wherever they occur. Out_(l+1) therefore takes one
 * pair in addition to Out_l and In_l, and all nodes with a complete subtree share one set for it. If no node is dead,
 * most sets are full and take no memory.
 *
 * Pairs are reference-counted. The caller owns one reference to a set that a method returns, and hands over its
 * reference to a set that it passes for storage.
 */
export class SharedSets {
  readonly #tree: Tree;
  #pairs = new Int32Array(64 * columns);
  /**
   * First pair in each hash chain, or 0 for an empty chain. The number of chains equals the number of pairs for which
   * there is space.
   */
  #heads = new Int32Array(64);
  /** Number of pairs used so far, including pair 0. */
  #used = 1;
  /** First free pair, or 0 if no pair is free. */
  #free = 0;
  #held = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Number of pairs that are currently held. */
  get held(): number {
    return this.#held;
  }

  /** Adds a reference to a set of a block whose order is greater than {@link wordOrder}. */
  retain(set: SharedSet): void {
    if (set > 0) this.#pairs[set * columns + column.references]! += 2;
  }

  /** Releases a reference to a set of a block whose order is greater than {@link wordOrder}. */
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

  /** Returns the set of all ids of a block whose order is at most {@link wordOrder}. */
  fullWord(block: number): SharedSet {
    const size = this.#tree.size(block);
    return size === 32 ? -1 : ~(-1 << size);
  }

  /** Converts a set of the block `own` to a set of a block that contains `own`. */
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
      wider =
        (at & 1) === 0 ? this.#pair(at >>> 1, order, wider, emptySet) : this.#pair(at >>> 1, order, emptySet, wider);
    }
    return wider;
  }

  /**
   * Returns the union of two disjoint sets as a set of `block`. Each of the two is a set of `block` or of a block
   * within `block`.
   */
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
      return sideA === 0 ? this.#pair(block, order, both, emptySet) : this.#pair(block, order, emptySet, both);
    }
    const ofA = this.within(block * 2 + sideA, a, blockA);
    const ofB = this.within(block * 2 + sideB, b, blockB);
    return sideA === 0 ? this.#pair(block, order, ofA, ofB) : this.#pair(block, order, ofB, ofA);
  }

  /**
   * Returns whether two sets have no id in common. The block of the first set must be at least as large as the block of
   * the second set.
   */
  disjoint(blockA: number, a: SharedSet, blockB: number, b: SharedSet): boolean {
    const tree = this.#tree;
    const orderB = tree.order(blockB);
    let order = tree.order(blockA);
    if (blockB >>> (order - orderB) !== blockA) return true;
    let set = a;
    while (order > wordOrder && order > orderB) {
      if (set === emptySet || b === emptySet) return true;
      if (set === fullSet) return false;
      set = this.#pairs[set * columns + this.#sideOf(blockB >>> (order - 1 - orderB))]!;
      order--;
    }
    if (order > wordOrder) return this.#apart(order, set, b);
    return (set & this.within(blockB >>> (order - orderB), b, blockB)) === 0;
  }

  /** Returns whether a set contains the given id of its block. */
  has(block: number, set: SharedSet, id: number): boolean {
    const tree = this.#tree;
    const leaf = tree.leaf(id);
    let order = tree.order(block);
    let at = set;
    for (; order > wordOrder; order--) {
      if (at === emptySet) return false;
      if (at === fullSet) return true;
      at = this.#pairs[at * columns + this.#sideOf(leaf >>> (order - 1))]!;
    }
    return ((at >>> (id - tree.start(leaf >>> order))) & 1) === 1;
  }

  /** Writes the set's bits into zeroed words, with the block's first id at bit `from`. */
  write(block: number, set: SharedSet, words: Int32Array, from = 0): void {
    if (set === emptySet) return;
    const order = this.#tree.order(block);
    if (order <= wordOrder) {
      const shift = from & 31;
      words[from >>> 5]! |= set << shift;
      // Writes the bits that belong to the next word. If no bits belong to the next word, the array may end before that
      // word.
      if (shift > 0 && set >>> (32 - shift) !== 0) words[(from >>> 5) + 1]! |= set >>> (32 - shift);
      return;
    }
    const left = block * 2;
    const [ofLeft, ofRight] = [this.#half(block, order, set, 0), this.#half(block, order, set, 1)];
    this.write(left, ofLeft, words, from);
    this.write(left + 1, ofRight, words, from + this.#tree.size(left));
  }

  /** Returns the set that the words contain at this position, in the layout of {@link write}. */
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

  /**
   * Returns which half of a block with that order contains another block: 0 for the left half, 1 for the right half.
   */
  #side(block: number, order: number, within: number): number {
    return (within >>> (order - 1 - this.#tree.order(within))) - block * 2;
  }

  /** Returns the column in which a pair stores this half. */
  #sideOf(half: number): number {
    return half & 1;
  }

  /** Returns the set of one half. It is lent to the caller. */
  #half(block: number, order: number, set: SharedSet, side: number): SharedSet {
    if (set === emptySet) return emptySet;
    if (set !== fullSet) return this.#pairs[set * columns + side]!;
    const half = block * 2 + side;
    if (order - 1 === wordOrder) return this.fullWord(half);
    return this.#tree.size(half) === 0 ? emptySet : fullSet;
  }

  /** Returns the union of a set of the block and a set of a block within one of its halves. */
  #joined(block: number, order: number, set: SharedSet, other: SharedSet, own: number): SharedSet {
    const side = this.#side(block, order, own);
    const half = block * 2 + side;
    const otherHalf = this.#half(block, order, set, 1 - side);
    if (order - 1 > wordOrder) this.retain(otherHalf);
    const both = this.union(half, this.#half(block, order, set, side), half, other, own);
    return side === 0 ? this.#pair(block, order, both, otherHalf) : this.#pair(block, order, otherHalf, both);
  }

  /** Returns the union of two sets of the block. */
  #merged(block: number, order: number, a: SharedSet, b: SharedSet): SharedSet {
    if (a === b || b === emptySet || a === fullSet) {
      this.retain(a);
      return a;
    }
    if (a === emptySet || b === fullSet) {
      this.retain(b);
      return b;
    }
    const [leftA, rightA] = [this.#pairs[a * columns]!, this.#pairs[a * columns + 1]!];
    const [leftB, rightB] = [this.#pairs[b * columns]!, this.#pairs[b * columns + 1]!];
    if (order - 1 === wordOrder) return this.#pair(block, order, leftA | leftB, rightA | rightB);
    const left = this.#merged(block * 2, order - 1, leftA, leftB);
    return this.#pair(block, order, left, this.#merged(block * 2 + 1, order - 1, rightA, rightB));
  }

  /**
   * Returns whether two sets of a block have no id in common, for a block whose order is greater than
   * {@link wordOrder}.
   */
  #apart(order: number, a: SharedSet, b: SharedSet): boolean {
    if (a === emptySet || b === emptySet) return true;
    if (a === b || a === fullSet || b === fullSet) return false;
    const pairs = this.#pairs;
    const [leftA, rightA] = [pairs[a * columns]!, pairs[a * columns + 1]!];
    const [leftB, rightB] = [pairs[b * columns]!, pairs[b * columns + 1]!];
    if (order - 1 === wordOrder) return (leftA & leftB) === 0 && (rightA & rightB) === 0;
    return this.#apart(order - 1, leftA, leftB) && this.#apart(order - 1, rightA, rightB);
  }

  /**
   * Returns the set that consists of these halves, for a block of that order. The caller hands over its references to
   * both halves.
   */
  #pair(block: number, order: number, left: SharedSet, right: SharedSet): SharedSet {
    if (left === emptySet && right === emptySet) return emptySet;
    if (this.#isWhole(block, order, left, right)) return fullSet;
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
      return left === fullSet && (right === fullSet || (right === emptySet && this.#tree.size(block * 2 + 1) === 0));
    }
    // Full words are runs of ones that start at bit 0. Few other words have this form.
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
    // The table grows only when no pair is free.
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
