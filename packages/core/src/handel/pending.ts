import { type Contribution, NONE } from '../protocol.ts';
import { Slab, sizeClass } from '../slab.ts';

/** Columns of an entry. */
const column = { sender: 0, rank: 1, aggregate: 2, individual: 3, score: 4, next: 5 } as const;
const columns = 6;

/** In the column of scores: not computed since In_l last changed. */
export const unscored = -1;

/** No entry. */
export const nil = -1;

/** The pool begins with 2^5 integers, five entries. */
const initialSizeClass = 5;

/** The lists that a level has. */
export const List = {
  /** To be verified, in order of rank; at most one entry per sender (v1.03 section 3.5.2). */
  queued: 0,
  /** Individual contributions that In_l already contains: of no use now, but never lost, for In_l may be replaced (section 2.4). */
  dormant: 1,
  /** Verified individual contributions, to be united with others (section 3.3). */
  verified: 2,
} as const;
const lists = 3;

/**
 * The contributions of a node's peers that are kept per level: entries in one pool of integers, linked into the three lists of each
 * level. Handles in an entry are retained for it.
 */
export class Pending {
  readonly #slab: Slab;
  /** Heads of the lists, three a level, as entry + 1. */
  readonly #heads: number;
  /** The pool of entries. */
  #pool: number;
  #sizeClass = initialSizeClass;
  #used = 0;
  #free = nil;

  constructor(levels: number, slab = new Slab()) {
    this.#slab = slab;
    this.#heads = slab.allocate(sizeClass((levels + 1) * lists));
    this.#pool = slab.allocate(initialSizeClass);
  }

  head(level: number, list: number): number {
    return this.#slab.page(this.#heads)[this.#slab.offset(this.#heads) + level * lists + list]! - 1;
  }

  next(entry: number): number {
    return this.#get(entry, column.next);
  }

  sender(entry: number): number {
    return this.#get(entry, column.sender);
  }

  rank(entry: number): number {
    return this.#get(entry, column.rank);
  }

  aggregate(entry: number): Contribution {
    return this.#get(entry, column.aggregate);
  }

  individual(entry: number): Contribution {
    return this.#get(entry, column.individual);
  }

  score(entry: number): number {
    return this.#get(entry, column.score);
  }

  setAggregate(entry: number, contribution: Contribution): void {
    this.#set(entry, column.aggregate, contribution);
    this.setScore(entry, unscored);
  }

  setIndividual(entry: number, contribution: Contribution): void {
    this.#set(entry, column.individual, contribution);
    this.setScore(entry, unscored);
  }

  setScore(entry: number, score: number): void {
    this.#set(entry, column.score, score);
  }

  /** The queued entry of a sender, by the rank that it has now; made, without contributions, where there is none. */
  queue(level: number, sender: number, rank: number): number {
    let before = nil;
    let entry = this.head(level, List.queued);
    while (entry !== nil && this.rank(entry) < rank) {
      before = entry;
      entry = this.next(entry);
    }
    // Ranks are a permutation of the senders plus multiples of N, so equal ranks are the same sender's.
    if (entry !== nil && this.rank(entry) === rank) return entry;
    return this.#insert(level, List.queued, before, sender, rank);
  }

  /** A new entry at the front of a list whose order does not matter. */
  push(level: number, list: number, sender: number, individual: Contribution): void {
    const entry = this.#insert(level, list, nil, sender, 0);
    this.setIndividual(entry, individual);
  }

  /** Takes the entry after `before` (the first one for nil) off a list; its handles are now the caller's. */
  remove(level: number, list: number, before: number): void {
    const entry = before === nil ? this.head(level, list) : this.next(before);
    const next = this.next(entry);
    this.#link(level, list, before, next);
    this.#set(entry, column.next, this.#free);
    this.#free = entry;
  }

  /** How many entries a list has. */
  length(level: number, list: number): number {
    let length = 0;
    for (let entry = this.head(level, list); entry !== nil; entry = this.next(entry)) length++;
    return length;
  }

  #insert(level: number, list: number, before: number, sender: number, rank: number): number {
    const entry = this.#take();
    const next = before === nil ? this.head(level, list) : this.next(before);
    this.#set(entry, column.sender, sender);
    this.#set(entry, column.rank, rank);
    this.#set(entry, column.aggregate, NONE);
    this.#set(entry, column.individual, NONE);
    this.#set(entry, column.score, unscored);
    this.#set(entry, column.next, next);
    this.#link(level, list, before, entry);
    return entry;
  }

  /** Makes `entry` the one after `before`, the first one for nil. */
  #link(level: number, list: number, before: number, entry: number): void {
    if (before !== nil) this.#set(before, column.next, entry);
    else this.#slab.page(this.#heads)[this.#slab.offset(this.#heads) + level * lists + list] = entry + 1;
  }

  #take(): number {
    if (this.#free !== nil) {
      const entry = this.#free;
      this.#free = this.next(entry);
      return entry;
    }
    if ((this.#used + 1) * columns > 1 << this.#sizeClass) {
      this.#pool = this.#slab.grow(this.#pool, this.#sizeClass);
      this.#sizeClass++;
    }
    return this.#used++;
  }

  #get(entry: number, which: number): number {
    return this.#slab.page(this.#pool)[this.#slab.offset(this.#pool) + entry * columns + which]!;
  }

  #set(entry: number, which: number, value: number): void {
    this.#slab.page(this.#pool)[this.#slab.offset(this.#pool) + entry * columns + which] = value;
  }
}
