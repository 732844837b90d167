import { type Slab, sizeClass } from '@tutti/core/packed';

/** Columns of an entry. */
const column = { rank: 0, sender: 1, weight: 2 } as const;
const columns = 3;

/**
 * Number of integers of a list's record: the address of its entries, then the number of entries in the low 24 bits and
 * log2 of the capacity above them.
 */
export const listInts = 2;
const countMask = (1 << 24) - 1;
const classShift = 24;

/** Initial log2 of a list's capacity in integers: one cache line, which has room for five entries. */
const initialClass = 4;

/**
 * Lists of senders in ascending order of their ranks with a victim, with the weight of each sender's contribution.
 * Ranks are distinct (v1.03 section 3.3). The address of a list's record identifies the list: {@link listInts} zeroed
 * integers in a slab that many victims share. The lists occupy few cache lines; objects would be scattered in memory.
 */
export class RankedLists {
  readonly #slab: Slab;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  length(list: number): number {
    return this.#slab.ints[list + 1]! & countMask;
  }

  rank(list: number, index: number): number {
    return this.#get(list, index, column.rank);
  }

  sender(list: number, index: number): number {
    return this.#get(list, index, column.sender);
  }

  weight(list: number, index: number): number {
    return this.#get(list, index, column.weight);
  }

  setWeight(list: number, index: number, weight: number): void {
    this.#slab.ints[this.#slab.ints[list]! + index * columns + column.weight] = weight;
  }

  /** Returns the number of senders with a smaller rank. */
  #countBefore(list: number, rank: number): number {
    const { ints } = this.#slab;
    const entries = ints[list]!;
    let count = 0;
    for (let limit = this.length(list); count < limit; ) {
      const middle = (count + limit) >>> 1;
      if (ints[entries + middle * columns]! < rank) count = middle + 1;
      else limit = middle;
    }
    return count;
  }

  /** Returns the index of the sender with the given rank; -1 if no sender has it. */
  indexOf(list: number, rank: number): number {
    const index = this.#countBefore(list, rank);
    return index < this.length(list) && this.rank(list, index) === rank ? index : -1;
  }

  /** Inserts a sender. @param rank rank of the sender; no other sender of the list may have it. */
  insert(list: number, rank: number, sender: number, weight: number): void {
    const index = this.#countBefore(list, rank);
    const count = this.length(list);
    this.#makeRoom(list, count + 1);
    const { ints } = this.#slab;
    const at = ints[list]! + index * columns;
    ints.copyWithin(at + columns, at, ints[list]! + count * columns);
    ints[at + column.rank] = rank;
    ints[at + column.sender] = sender;
    ints[at + column.weight] = weight;
    ints[list + 1]!++;
  }

  removeAt(list: number, index: number): void {
    const { ints } = this.#slab;
    const at = ints[list]! + index * columns;
    const end = ints[list]! + this.length(list) * columns;
    ints.copyWithin(at, at + columns, end);
    ints[list + 1]!--;
  }

  /** Removes all senders and keeps the capacity. */
  clear(list: number): void {
    this.#slab.ints[list + 1]! &= ~countMask;
  }

  #makeRoom(list: number, count: number): void {
    const slab = this.#slab;
    const runClass = slab.ints[list + 1]! >>> classShift;
    if (runClass > 0 && count * columns <= 1 << runClass) return;
    const larger = runClass === 0 ? Math.max(initialClass, sizeClass(count * columns)) : runClass + 1;
    const entries = runClass === 0 ? slab.allocate(larger) : slab.grow(slab.ints[list]!, runClass);
    slab.ints[list] = entries;
    slab.ints[list + 1] = (larger << classShift) | (count - 1);
  }

  #get(list: number, index: number, which: number): number {
    const { ints } = this.#slab;
    return ints[ints[list]! + index * columns + which]!;
  }
}
