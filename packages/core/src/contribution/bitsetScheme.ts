import { sizeOf } from '../memberSet.ts';
import { requireTree, type Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { Stakes } from '../stakes/stakes.ts';
import type { AggregationScheme, DecodedContribution } from './scheme.ts';
import { fullSetBytes, listedSetBytes, writeSet } from './setCode.ts';
import { emptySet, fullSet, type SharedSet, SharedSets, wordOrder } from './sharedSets.ts';

/** Columns of a contribution's row. */
const column = { block: 0, weight: 1, references: 2, set: 3 } as const;
const columns = 4;

/**
 * A store of contributions, each of which has a set of signers. A set covers only its block's ids, not all N ids. For a
 * block of up to 32 ids, it fits into one word. For a larger block, all contributions with the same set share one
 * stored copy of the set. A full set takes no memory.
 *
 * A subclass stores what a contribution has in addition to its set, such as a BLS signature. The store notifies the
 * subclass of each contribution that it creates or frees.
 */
export abstract class BitsetScheme implements AggregationScheme {
  readonly tree: Tree;
  readonly stakes: Stakes | undefined;
  readonly #sets: SharedSets;
  /**
   * First handle that names a row. Each smaller handle, except for noContribution, is the number of a block. If the
   * subclass has canonical contributions, such a handle stands for the full contribution of the block.
   */
  readonly #base: number;
  #table = new Int32Array(64 * columns);
  #rows = 0;
  readonly #free: number[] = [];
  /** Stake weight of each row's signers, as a score. Unused if all members have the same weight. */
  #stakes = new Int32Array(0);

  /** @param stakes weights of the members. Default: equal weights. */
  constructor(tree: Tree, stakes?: Stakes) {
    requireTree('tree', tree);
    if (stakes !== undefined && (stakes.nodes !== tree.nodes || stakes.form !== tree.form))
      throw new RangeError(
        `stakes: expected those of the ${tree.form} tree of ${tree.nodes} nodes, got those of the ${stakes.form} tree of ${stakes.nodes} nodes`,
      );
    this.tree = tree;
    this.stakes = stakes?.areEqual === true ? undefined : stakes;
    this.#sets = new SharedSets(tree);
    this.#base = tree.leafBase * 2;
  }

  abstract verify(contribution: Contribution): boolean;
  abstract encode(contribution: Contribution, out: Uint8Array, offset: number): number;
  abstract decode(block: number, bytes: Uint8Array, offset: number): DecodedContribution;
  abstract encodedBytes(contribution: Contribution): number;

  /** Called after `made` has been created from `a` and `b`, either of which may be noContribution. */
  protected abstract onAggregated(made: Contribution, a: Contribution, b: Contribution): void;

  /** Called after the last reference to a contribution has been released. */
  protected abstract onFreed(contribution: Contribution): void;

  /**
   * Returns whether `a` and `b`, which together fill a block, form the block's canonical contribution, which needs no
   * row.
   */
  protected abstract isCanonical(a: Contribution, b: Contribution): boolean;

  /** Number of contributions currently held, except those that need no row. */
  get held(): number {
    return this.#rows - this.#free.length;
  }

  block(contribution: Contribution): number {
    return contribution < this.#base ? contribution : this.#get(contribution - this.#base, column.block);
  }

  weight(contribution: Contribution): number {
    if (contribution >= this.#base) return this.#get(contribution - this.#base, column.weight);
    return contribution === noContribution ? 0 : this.tree.size(contribution);
  }

  stake(contribution: Contribution): number {
    if (this.stakes === undefined) return this.weight(contribution);
    if (contribution >= this.#base) return this.#stakes[contribution - this.#base]!;
    return contribution === noContribution ? 0 : this.stakes.blockScore(contribution);
  }

  contains(contribution: Contribution, id: number): boolean {
    if (contribution === noContribution) return false;
    const block = this.block(contribution);
    if (!this.tree.contains(block, id)) return false;
    return this.isFull(contribution) || this.#sets.has(block, this.#setOf(contribution), id);
  }

  aggregatable(a: Contribution, b: Contribution): boolean {
    if (a === noContribution || b === noContribution) return true;
    const blockA = this.block(a);
    const blockB = this.block(b);
    return this.tree.order(blockA) >= this.tree.order(blockB)
      ? this.#sets.disjoint(blockA, this.#setOf(a), blockB, this.#setOf(b))
      : this.#sets.disjoint(blockB, this.#setOf(b), blockA, this.#setOf(a));
  }

  aggregate(block: number, a: Contribution, b: Contribution): Contribution {
    this.#requireWithin(block, a);
    this.#requireWithin(block, b);
    const weight = this.weight(a) + this.weight(b);
    if (weight === this.tree.size(block)) {
      if (this.isCanonical(a, b)) return block;
      const full = this.#newRow(block, weight, fullSet);
      this.#weigh(full, this.stakes?.blockScore(block));
      this.onAggregated(full, a, b);
      return full;
    }
    const made = this.#newRow(block, weight, this.#union(block, a, b));
    if (this.stakes !== undefined) this.#weigh(made, this.stake(a) + this.stake(b));
    this.onAggregated(made, a, b);
    return made;
  }

  retain(contribution: Contribution): void {
    if (contribution >= this.#base) this.#table[(contribution - this.#base) * columns + column.references]!++;
  }

  release(contribution: Contribution): void {
    if (contribution < this.#base) return;
    const row = contribution - this.#base;
    const references = --this.#table[row * columns + column.references]!;
    if (references > 0) return;
    if (references < 0) throw new RangeError(`contribution ${contribution}: released more often than retained`);
    this.onFreed(contribution);
    if (this.tree.order(this.#get(row, column.block)) > wordOrder) this.#sets.release(this.#get(row, column.set));
    this.#free.push(row);
  }

  setWords(contribution: Contribution): Int32Array {
    const block = this.block(contribution);
    const size = this.tree.size(block);
    const words = new Int32Array((size + 31) >>> 5);
    if (!this.isFull(contribution)) this.#sets.write(block, this.#setOf(contribution), words);
    else {
      words.fill(-1);
      if ((size & 31) !== 0) words[words.length - 1] = ~(-1 << (size & 31));
    }
    return words;
  }

  /** Returns whether the contribution contains all ids of its block. */
  isFull(contribution: Contribution): boolean {
    if (contribution < this.#base) return contribution !== noContribution;
    // Every full set is stored as `fullSet`. The word of any other set never equals this number.
    return this.#get(contribution - this.#base, column.set) === fullSet;
  }

  /** Returns the length of the set's wire encoding, bytes. */
  protected setBytes(contribution: Contribution): number {
    if (this.isFull(contribution)) return fullSetBytes;
    return listedSetBytes(this.tree.size(this.block(contribution)));
  }

  /** Writes the set's wire encoding. Returns the offset after the written bytes. */
  protected encodeSet(contribution: Contribution, out: Uint8Array, offset: number): number {
    const words = this.isFull(contribution) ? undefined : this.setWords(contribution);
    return writeSet(words, this.tree.size(this.block(contribution)), out, offset);
  }

  /**
   * Creates a contribution with the given set, retained once for the caller. `words` has the form of {@link setWords};
   * undefined stands for all ids of the block.
   */
  protected newContribution(block: number, words: Int32Array | undefined): Contribution {
    const size = this.tree.size(block);
    const weight = words === undefined ? size : sizeOf(words);
    const made = this.#newRow(block, weight, weight === size ? fullSet : this.#sets.read(block, words!));
    if (this.stakes !== undefined)
      this.#weigh(
        made,
        words === undefined ? this.stakes.blockScore(block) : this.stakes.scoreOfSet(words, this.tree.start(block)),
      );
    return made;
  }

  /**
   * Returns the number of the contribution's row, a small integer that indexes the columns of a subclass while the
   * contribution is held. The number is negative for a contribution that needs no row.
   */
  protected row(contribution: Contribution): number {
    return contribution - this.#base;
  }

  #newRow(block: number, weight: number, set: SharedSet): Contribution {
    const row = this.#free.pop() ?? this.#rows++;
    const at = row * columns;
    if (at >= this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2);
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#table[at + column.block] = block;
    this.#table[at + column.weight] = weight;
    this.#table[at + column.references] = 1;
    this.#table[at + column.set] = set;
    return row + this.#base;
  }

  #weigh(contribution: Contribution, score: number | undefined): void {
    if (score === undefined) return;
    const row = contribution - this.#base;
    if (row >= this.#stakes.length) {
      const longer = new Int32Array(Math.max(64, 2 * row));
      longer.set(this.#stakes);
      this.#stakes = longer;
    }
    this.#stakes[row] = score;
  }

  #get(row: number, which: number): number {
    return this.#table[row * columns + which]!;
  }

  #setOf(contribution: Contribution): SharedSet {
    if (!this.isFull(contribution)) return this.#get(contribution - this.#base, column.set);
    const block = this.block(contribution);
    return this.tree.order(block) > wordOrder ? fullSet : this.#sets.fullWord(block);
  }

  #requireWithin(block: number, contribution: Contribution): void {
    if (contribution === noContribution) return;
    const own = this.block(contribution);
    if (own >>> (this.tree.order(block) - this.tree.order(own)) === block) return;
    throw new RangeError(
      `contribution: expected a contribution over block ${block} or over a block within it, got block ${own}`,
    );
  }

  #union(block: number, a: Contribution, b: Contribution): SharedSet {
    if (a === noContribution)
      return b === noContribution ? emptySet : this.#sets.within(block, this.#setOf(b), this.block(b));
    if (b === noContribution) return this.#sets.within(block, this.#setOf(a), this.block(a));
    return this.#sets.union(block, this.#setOf(a), this.block(a), this.#setOf(b), this.block(b));
  }
}
