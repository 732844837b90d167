import type { Contribution } from '../protocol.ts';
import { Slab, sizeClass } from '../slab.ts';

/** Columns of an entry; one that is not queued has the first four, and no aggregate. */
const column = { sender: 0, individual: 1, next: 2, aggregate: 3, rank: 4, score: 5 } as const;
const queuedClass = sizeClass(6);
const keptClass = sizeClass(4);

/** In the column of scores: not computed since In_l last changed. */
export const unscored = -1;

/** No entry. */
export const nil = -1;

/**
 * A node's record: how many integers its entries take, and took at most; then the heads of the lists, three a level, as
 * entry + 1.
 */
const intsAt = 0;
const mostAt = 1;
const listsAt = 2;

/** The lists that a level has. */
export const List = {
  /** To be verified, in order of rank; at most one entry per sender (v1.03 section 3.5.2). */
  queued: 0,
  /**
   * Individual contributions that In_l already contains: of no use now, but kept, since In_l may be replaced (section
   * 2.4).
   */
  dormant: 1,
  /** Verified individual contributions, to be united with others (section 3.3). */
  verified: 2,
} as const;
const lists = 3;

/**
 * The contributions of its peers that a node keeps, per level: entries of a few integers in the slab, linked into the
 * three lists of each level. If a fifth of the nodes are dead, a node keeps hundreds of individual contributions to the
 * end, of which few are queued at any time; so each entry has a run of integers of its own, and those that are not
 * queued a shorter one. Handles in an entry are retained for it.
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
    this.#record = this.#slab.reserve(listsAt + this.#levels * lists);
    return this.#record;
  }

  /** Turns to the node whose lists lie there. */
  enter(record: number): void {
    this.#record = record;
  }

  /** Integers that the entries take. */
  get ints(): number {
    return this.#slab.ints[this.#record + intsAt]!;
  }

  /** Integers that the entries took when they took most. */
  get mostInts(): number {
    return this.#slab.ints[this.#record + mostAt]!;
  }

  head(level: number, list: number): number {
    return this.#slab.ints[this.#record + listsAt + (level - 1) * lists + list]! - 1;
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
    return this.#insertQueued(level, before, sender, rank);
  }

  /**
   * Another queued entry of a sender, before those that it already has; only for experiments, since nothing bounds such
   * a list.
   */
  add(level: number, sender: number, rank: number): number {
    let before = nil;
    for (
      let entry = this.head(level, List.queued);
      entry !== nil && this.rank(entry) < rank;
      entry = this.next(entry)
    ) {
      before = entry;
    }
    return this.#insertQueued(level, before, sender, rank);
  }

  /** A new entry at the front of a list whose order does not matter. */
  push(level: number, list: number, sender: number, individual: Contribution): void {
    const entry = this.#insert(keptClass, level, list, nil, sender);
    this.#set(entry, column.individual, individual);
  }

  /** Takes the entry after `before` (the first one for nil) off a list; its handles are now the caller's. */
  remove(level: number, list: number, before: number): void {
    const entry = before === nil ? this.head(level, list) : this.next(before);
    this.#link(level, list, before, this.next(entry));
    const runClass = list === List.queued ? queuedClass : keptClass;
    this.#slab.release(entry, runClass);
    this.#slab.ints[this.#record + intsAt]! -= 1 << runClass;
  }

  /** How many entries a list has. */
  length(level: number, list: number): number {
    let length = 0;
    for (let entry = this.head(level, list); entry !== nil; entry = this.next(entry)) length++;
    return length;
  }

  #insertQueued(level: number, before: number, sender: number, rank: number): number {
    const entry = this.#insert(queuedClass, level, List.queued, before, sender);
    this.#set(entry, column.rank, rank);
    this.#set(entry, column.score, unscored);
    return entry;
  }

  /** An entry without contributions, of a run of zeros. */
  #insert(runClass: number, level: number, list: number, before: number, sender: number): number {
    const entry = this.#slab.allocate(runClass);
    const { ints } = this.#slab;
    ints[this.#record + intsAt]! += 1 << runClass;
    if (this.ints > this.mostInts) ints[this.#record + mostAt] = this.ints;
    this.#set(entry, column.sender, sender);
    this.#set(entry, column.next, before === nil ? this.head(level, list) : this.next(before));
    this.#link(level, list, before, entry);
    return entry;
  }

  /** Makes `entry` the one after `before`, the first one for nil. */
  #link(level: number, list: number, before: number, entry: number): void {
    if (before !== nil) this.#set(before, column.next, entry);
    else this.#slab.ints[this.#record + listsAt + (level - 1) * lists + list] = entry + 1;
  }

  #get(entry: number, which: number): number {
    return this.#slab.ints[entry + which]!;
  }

  #set(entry: number, which: number, value: number): void {
    this.#slab.ints[entry + which] = value | 0;
  }
}
