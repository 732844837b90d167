import type { Tree } from '../overlay/tree.ts';
import { type Contribution, NONE } from '../protocol.ts';
import { Slab } from '../slab.ts';
import { popcount } from './popcount.ts';
import type { AggregationScheme, DecodedContribution } from './scheme.ts';
import { fullSetBytes, listedSetBytes, writeSet } from './setCode.ts';

/** Columns of a contribution's line; `words` is the word of a set of up to 32, the address of a larger one, or {@link whole}. */
const column = { block: 0, weight: 1, holders: 2, words: 3 } as const;
const columns = 4;

/** In the column of words: the set is the whole block and needs no storage. */
const whole = -1;

/**
 * A store of contributions that are told apart by a set of ids. A set is over its block's ids, not over all N: a block of up to 32 ids fits
 * into one word, a larger one has words in a slab, and a full one needs none.
 *
 * What a contribution carries besides its set (for BLS, a signature) is a subclass's: it is told of each new contribution and of each that
 * goes.
 */
export abstract class BitsetScheme implements AggregationScheme {
  readonly tree: Tree;
  readonly #slab = new Slab();
  /** The first handle that names a line; handles under it are blocks, each its own full contribution where a subclass allows it. */
  readonly #base: number;
  #table = new Int32Array(64 * columns);
  #lines = 0;
  readonly #free: number[] = [];

  constructor(tree: Tree) {
    this.tree = tree;
    this.#base = tree.leafBase * 2;
  }

  abstract verify(contribution: Contribution): boolean;
  abstract encode(contribution: Contribution, out: Uint8Array, offset: number): number;
  abstract decode(block: number, bytes: Uint8Array, offset: number): DecodedContribution;
  abstract encodedBytes(contribution: Contribution): number;

  /** A contribution over `block` was made of a and b, either of which may be NONE. */
  protected abstract onAggregated(made: Contribution, a: Contribution, b: Contribution): void;

  /** The last holder of a contribution has let go of it. */
  protected abstract onFreed(contribution: Contribution): void;

  /** Whether the full contribution over `block` made of a and b is the block's one full contribution, which needs no line. */
  protected abstract isCanonical(a: Contribution, b: Contribution): boolean;

  /** Contributions that are held at this moment, those that need no line apart. */
  get held(): number {
    return this.#lines - this.#free.length;
  }

  block(contribution: Contribution): number {
    return contribution < this.#base ? contribution : this.#get(contribution - this.#base, column.block);
  }

  weight(contribution: Contribution): number {
    if (contribution >= this.#base) return this.#get(contribution - this.#base, column.weight);
    return contribution === NONE ? 0 : this.tree.size(contribution);
  }

  contains(contribution: Contribution, id: number): boolean {
    if (contribution === NONE) return false;
    const block = this.block(contribution);
    if (!this.tree.contains(block, id)) return false;
    const words = this.#wordsOf(contribution);
    if (words === whole) return true;
    const bit = id - this.tree.start(block);
    if (this.tree.order(block) <= 5) return ((words >>> bit) & 1) === 1;
    return ((this.#slab.ints[words + (bit >>> 5)]! >>> (bit & 31)) & 1) === 1;
  }

  disjoint(a: Contribution, b: Contribution): boolean {
    if (a === NONE || b === NONE) return true;
    const orderA = this.tree.order(this.block(a));
    const orderB = this.tree.order(this.block(b));
    return orderA >= orderB ? this.#disjointFrom(a, orderA, b, orderB) : this.#disjointFrom(b, orderB, a, orderA);
  }

  aggregate(block: number, a: Contribution, b: Contribution): Contribution {
    const weight = this.weight(a) + this.weight(b);
    if (weight === this.tree.size(block)) {
      if (this.isCanonical(a, b)) return block;
      const full = this.#newLine(block, weight, whole);
      this.onAggregated(full, a, b);
      return full;
    }
    const order = this.tree.order(block);
    let words: number;
    if (order <= 5) {
      words = this.#wordOver(block, a) | this.#wordOver(block, b);
    } else {
      words = this.#slab.allocate(order - 5);
      this.#copyInto(words, block, a);
      this.#copyInto(words, block, b);
    }
    const made = this.#newLine(block, weight, words);
    this.onAggregated(made, a, b);
    return made;
  }

  retain(contribution: Contribution): void {
    if (contribution >= this.#base) this.#table[(contribution - this.#base) * columns + column.holders]!++;
  }

  release(contribution: Contribution): void {
    if (contribution < this.#base) return;
    const line = contribution - this.#base;
    const holders = --this.#table[line * columns + column.holders]!;
    if (holders > 0) return;
    if (holders < 0) throw new RangeError(`contribution ${contribution}: released more often than retained`);
    this.onFreed(contribution);
    const order = this.tree.order(this.#get(line, column.block));
    const words = this.#get(line, column.words);
    if (order > 5 && words !== whole) this.#slab.release(words, order - 5);
    this.#free.push(line);
  }

  /** The set as words over its block's ids: bit b of the set is bit b & 31 of word b >> 5. A fresh copy. */
  setWords(contribution: Contribution): Int32Array {
    const block = this.block(contribution);
    const size = this.tree.size(block);
    const out = new Int32Array((size + 31) >>> 5);
    const words = this.#wordsOf(contribution);
    if (words === whole) {
      out.fill(-1);
      if ((size & 31) !== 0) out[out.length - 1] = ~(-1 << (size & 31));
    } else if (this.tree.order(block) <= 5) {
      out[0] = words;
    } else {
      out.set(this.#slab.ints.subarray(words, words + out.length));
    }
    return out;
  }

  /** Does the contribution hold all the ids of its block? */
  isFull(contribution: Contribution): boolean {
    return contribution !== NONE && this.#wordsOf(contribution) === whole;
  }

  /** Bytes of the set's code on the wire. */
  protected setBytes(contribution: Contribution): number {
    if (this.isFull(contribution)) return fullSetBytes;
    return listedSetBytes(this.tree.size(this.block(contribution)));
  }

  protected encodeSet(contribution: Contribution, out: Uint8Array, offset: number): number {
    const full = this.isFull(contribution);
    return writeSet(
      full ? undefined : this.setWords(contribution),
      this.tree.size(this.block(contribution)),
      out,
      offset,
    );
  }

  /** A new line with the given set, retained once; `words` as {@link setWords} gives them, or undefined for all of the block. */
  protected newContribution(block: number, words: Int32Array | undefined): Contribution {
    const size = this.tree.size(block);
    let weight = 0;
    if (words === undefined) weight = size;
    else for (const word of words) weight += popcount(word);
    if (weight === size) return this.#newLine(block, weight, whole);
    const order = this.tree.order(block);
    if (order <= 5) return this.#newLine(block, weight, words![0]!);
    const address = this.#slab.allocate(order - 5);
    this.#slab.ints.set(words!, address);
    return this.#newLine(block, weight, address);
  }

  /** A small number that is the contribution's alone while it is held, for a subclass's columns. Only for handles that have a line. */
  protected line(contribution: Contribution): number {
    return contribution - this.#base;
  }

  #newLine(block: number, weight: number, words: number): Contribution {
    const line = this.#free.pop() ?? this.#lines++;
    const at = line * columns;
    if (at >= this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2);
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#table[at + column.block] = block;
    this.#table[at + column.weight] = weight;
    this.#table[at + column.holders] = 1;
    this.#table[at + column.words] = words;
    return line + this.#base;
  }

  #get(line: number, which: number): number {
    return this.#table[line * columns + which]!;
  }

  /** The word of a set of up to 32, the address of a larger one, or `whole`. */
  #wordsOf(contribution: Contribution): number {
    if (contribution < this.#base) return whole;
    const line = contribution - this.#base;
    // A line's word may have all 32 bits set, which reads as `whole`, and is.
    return this.#get(line, column.words);
  }

  /** The set as one word over `block`, which has an order of at most 5. */
  #wordOver(block: number, contribution: Contribution): number {
    if (contribution === NONE) return 0;
    const own = this.block(contribution);
    const words = this.#wordsOf(contribution);
    const size = this.tree.size(own);
    const bits = words === whole ? (size === 32 ? -1 : ~(-1 << size)) : words;
    return bits << (this.tree.start(own) - this.tree.start(block));
  }

  /** Sets the contribution's bits in the words at `address`, which are over `block`. */
  #copyInto(address: number, block: number, contribution: Contribution): void {
    if (contribution === NONE) return;
    const own = this.block(contribution);
    const at = this.tree.start(own) - this.tree.start(block);
    const { ints } = this.#slab;
    const to = address + (at >>> 5);
    const order = this.tree.order(own);
    const shift = at & 31;
    if (order <= 5) {
      const word = this.#wordOver(own, contribution);
      ints[to]! |= word << shift;
      if (shift > 0 && word >>> (32 - shift) !== 0) ints[to + 1]! |= word >>> (32 - shift);
      return;
    }
    const words = this.#wordsOf(contribution);
    const size = this.tree.size(own);
    if (words === whole) {
      setBits(ints, address * 32 + at, size);
      return;
    }
    const length = (size + 31) >>> 5;
    if (shift === 0) {
      for (let word = 0; word < length; word++) ints[to + word]! |= ints[words + word]!;
      return;
    }
    for (let word = 0; word < length; word++) {
      const bits = ints[words + word]!;
      ints[to + word]! |= bits << shift;
      // The last word may end before the next one begins, and that may lie beyond the set.
      if (bits >>> (32 - shift) !== 0) ints[to + word + 1]! |= bits >>> (32 - shift);
    }
  }

  /** Is `a`, over the larger or an equal block, disjoint from `b`? */
  #disjointFrom(a: Contribution, orderA: number, b: Contribution, orderB: number): boolean {
    const blockA = this.block(a);
    const blockB = this.block(b);
    if (blockB >>> (orderA - orderB) !== blockA) return true;
    const wordsA = this.#wordsOf(a);
    if (wordsA === whole) return false;
    const wordsB = this.#wordsOf(b);
    if (orderA <= 5) return (wordsA & this.#wordOver(blockA, b)) === 0;
    const at = this.tree.start(blockB) - this.tree.start(blockA);
    const { ints } = this.#slab;
    const partA = wordsA + (at >>> 5);
    const shift = at & 31;
    if (orderB <= 5) {
      const word = this.#wordOver(blockB, b);
      return (bitsAt(ints, partA, shift, word) & word) === 0;
    }
    const size = this.tree.size(blockB);
    const length = (size + 31) >>> 5;
    if (wordsB !== whole && shift === 0) {
      for (let word = 0; word < length; word++) if ((ints[partA + word]! & ints[wordsB + word]!) !== 0) return false;
      return true;
    }
    for (let word = 0; word < length; word++) {
      let bits: number;
      if (wordsB !== whole) bits = ints[wordsB + word]!;
      else bits = word < size >>> 5 ? -1 : ~(-1 << (size & 31));
      if ((bitsAt(ints, partA + word, shift, bits) & bits) !== 0) return false;
    }
    return true;
  }
}

/** 32 bits of a set from `shift` on in one of its words; of the next word only what `wanted` asks for, for there may be none. */
function bitsAt(ints: Int32Array, word: number, shift: number, wanted: number): number {
  const bits = ints[word]!;
  if (shift === 0) return bits;
  const isWithin = wanted >>> (32 - shift) === 0;
  return isWithin ? bits >>> shift : (bits >>> shift) | (ints[word + 1]! << (32 - shift));
}

/** Sets `count` bits from one on. */
function setBits(words: Int32Array, from: number, count: number): void {
  const first = from >>> 5;
  const end = from + count;
  const last = end >>> 5;
  if (first === last) {
    words[first]! |= ~(-1 << count) << (from & 31);
    return;
  }
  words[first]! |= -1 << (from & 31);
  words.fill(-1, first + 1, last);
  // None, where the end is a word's own.
  words[last]! |= ~(-1 << (end & 31));
}
