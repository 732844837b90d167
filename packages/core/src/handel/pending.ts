import { type Contribution, NONE } from '../protocol.ts';
import { Slab, sizeClass } from '../slab.ts';

/** Columns of an entry. */
const column = { sender: 0, rank: 1, aggregate: 2, individual: 3, score: 4, next: 5 } as const;
const columns = 6;

/** In the column of scores: not computed since In_l last changed. */
export const unscored = -1;

/** No entry. */
export const nil = -1;

/**
 * A node's record: where its pool of entries lies, of 2^sizeClass integers, how many entries it has ever used, the first free one as
 * entry + 1; then the heads of the lists, three a level, as entry + 1.
 */
const field = { pool: 0, sizeClass: 1, used: 2, free: 3 } as const;
const recordInts = 4;

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
  readonly #levels: number;
  /** The record of the node that is turned to. */
  #record: number;

  /** Opens the lists of one node. */
  constructor(levels: number, slab = new Slab()) {
    this.#slab = slab;
    this.#levels = levels;
    this.#record = this.open();
  }

  /** Makes lists for another node and turns to them. @returns where they lie. */
  open(): number {
    const record = this.#slab.allocate(sizeClass(recordInts + this.#levels * lists));
    this.enter(record);
    this.#setField(field.pool, this.#slab.allocate(initialSizeClass));
    this.#setField(field.sizeClass, initialSizeClass);
    return record;
  }

  /** Turns to the node whose lists lie there. */
  enter(record: number): void {
    this.#record = record;
  }

  /** Integers that the pool of entries takes. */
  get ints(): number {
    return 1 << this.#field(field.sizeClass);
  }

  head(level: number, list: number): number {
    return this.#field(recordInts + (level - 1) * lists + list) - 1;
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

  /** Another queued entry of a sender, before what it has there: for experiments, for nothing bounds a list of these. */
  add(level: number, sender: number, rank: number): number {
    let before = nil;
    for (
      let entry = this.head(level, List.queued);
      entry !== nil && this.rank(entry) < rank;
      entry = this.next(entry)
    ) {
      before = entry;
    }
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
    this.#set(entry, column.next, this.#field(field.free) - 1);
    this.#setField(field.free, entry + 1);
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
    else this.#setField(recordInts + (level - 1) * lists + list, entry + 1);
  }

  #take(): number {
    const free = this.#field(field.free) - 1;
    if (free !== nil) {
      this.#setField(field.free, this.next(free) + 1);
      return free;
    }
    const used = this.#field(field.used);
    const size = this.#field(field.sizeClass);
    if ((used + 1) * columns > 1 << size) {
      this.#setField(field.pool, this.#slab.grow(this.#field(field.pool), size));
      this.#setField(field.sizeClass, size + 1);
    }
    this.#setField(field.used, used + 1);
    return used;
  }

  #get(entry: number, which: number): number {
    const pool = this.#field(field.pool);
    return this.#slab.ints[pool + entry * columns + which]!;
  }

  #set(entry: number, which: number, value: number): void {
    const pool = this.#field(field.pool);
    this.#slab.ints[pool + entry * columns + which] = value;
  }

  #field(which: number): number {
    return this.#slab.ints[this.#record + which]!;
  }

  #setField(which: number, value: number): void {
    this.#slab.ints[this.#record + which] = value;
  }
}
