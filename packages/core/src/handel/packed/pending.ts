import { type Contribution, noContribution } from '../../protocol.ts';
import { type Slab, sizeClass } from '../../slab.ts';

/** Columns of a queued entry. */
const column = { sender: 0, individual: 1, next: 2, aggregate: 3, rank: 4, score: 5 } as const;
const entryClass = sizeClass(6);

/**
 * Layout of a run of individual contributions that are not queued. The first integer contains the number of
 * contributions, in the bits above the 5 bits of the size class. Each contribution follows as two integers: its sender
 * and its handle.
 */
const classBits = 5;
const pairsAt = 1;
const pairInts = 2;
const smallestRunClass = sizeClass(pairsAt + pairInts);

/** Score of an entry that has not been scored since In_l last changed. */
export const unscored = -1;

/** Absence of an entry. */
export const nil = -1;

/**
 * Layout of a node's record. The first two integers are the number of integers that the node's entries and runs occupy,
 * and the maximum of this number so far. Three integers per level follow: the first queued entry, as entry + 1, and the
 * addresses of the two runs, 0 for an empty run.
 */
const intsAt = 0;
const maxAt = 1;
const listsAt = 2;

/** The lists of a level. */
export const List = {
  /** Contributions to verify, in order of rank, with at most one entry per sender (v1.03 section 3.5.2). */
  queued: 0,
  /**
   * Individual contributions that In_l already contains. These contributions are useless now, but are kept because
   * another contribution may replace In_l (section 2.4).
   */
  dormant: 1,
  /** Verified individual contributions, for unions with other contributions (section 3.3). */
  verified: 2,
} as const;
const lists = 3;

/** A list of pending contributions: one of the values of {@link List}. */
export type PendingList = (typeof List)[keyof typeof List];

/** The lists of individual contributions, in no particular order. */
export type IndividualList = typeof List.dormant | typeof List.verified;

/**
 * Contributions that a node stores from its peers, per level. The queue is a linked list of entries with a few integers
 * each. If a fifth of the nodes are dead, a node also stores hundreds of individual contributions until the end of the
 * round, and scans them often. Individual contributions are stored in contiguous runs, whose size doubles when they are
 * full. Both the queue and the runs retain the handles that they contain.
 */
export class Pending {
  readonly #slab: Slab;
  readonly #levels: number;
  /** Address of the current node's record. */
  #record = 0;

  constructor(levels: number, slab: Slab) {
    this.#slab = slab;
    this.#levels = levels;
  }

  /** Allocates lists for a node and makes it the current node. @returns their address. */
  open(): number {
    this.#record = this.#slab.reserve(listsAt + this.#levels * lists);
    return this.#record;
  }

  /** Makes the node with lists at this address the current node. */
  enter(record: number): void {
    this.#record = record;
  }

  /** Number of integers that the entries and runs currently occupy. */
  get ints(): number {
    return this.#slab.ints[this.#record + intsAt]!;
  }

  /** Maximum number of integers that the entries and runs have occupied so far. */
  get maxInts(): number {
    return this.#slab.ints[this.#record + maxAt]!;
  }

  /** Returns the first queued entry, or `nil`. */
  head(level: number): number {
    return this.#slab.ints[this.#at(level, List.queued)]! - 1;
  }

  next(entry: number): number {
    return this.#get(entry, column.next);
  }

  /** Returns the queued entry after `before`, or the first entry if `before` is `nil`. */
  after(level: number, before: number): number {
    return before === nil ? this.head(level) : this.next(before);
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

  /**
   * Returns the queued entry of a sender, with the sender's current rank. Creates an entry without contributions if the
   * sender has none.
   */
  queue(level: number, sender: number, rank: number): number {
    let before = nil;
    let entry = this.head(level);
    while (entry !== nil && this.rank(entry) < rank) {
      before = entry;
      entry = this.next(entry);
    }
    // A level's initial ranks are distinct and below the span, and only multiples of the span are added to a rank.
    // Entries with the same rank therefore have the same sender.
    if (entry !== nil && this.rank(entry) === rank) return entry;
    return this.#insertQueued(level, before, sender, rank);
  }

  /**
   * Adds another queued entry for a sender, before the sender's existing entries. Only experiments use this method,
   * because the list has no bound then.
   */
  add(level: number, sender: number, rank: number): number {
    let before = nil;
    for (let entry = this.head(level); entry !== nil && this.rank(entry) < rank; entry = this.next(entry)) {
      before = entry;
    }
    return this.#insertQueued(level, before, sender, rank);
  }

  /**
   * Removes the entry after `before` from the queue, or the first entry if `before` is `nil`. The caller takes over the
   * removed entry's handles.
   */
  remove(level: number, before: number): void {
    const entry = this.after(level, before);
    this.#link(level, before, this.next(entry));
    this.#slab.release(entry, entryClass);
    this.#countInts(-(1 << entryClass));
  }

  /** Returns the number of queued entries. */
  length(level: number): number {
    let length = 0;
    for (let entry = this.head(level); entry !== nil; entry = this.next(entry)) length++;
    return length;
  }

  /** Stores an individual contribution in a list. */
  storeIndividual(level: number, list: IndividualList, sender: number, individual: Contribution): void {
    const run = this.#roomyRun(level, list);
    const { ints } = this.#slab;
    const at = run + pairsAt + this.countOf(run) * pairInts;
    ints[at] = sender;
    ints[at + 1] = individual;
    ints[run]! += 1 << classBits;
  }

  /** Returns the run of a list, for the methods below. The run is valid until a contribution is stored or removed. */
  run(level: number, list: IndividualList): number {
    return this.#slab.ints[this.#at(level, list)]!;
  }

  countOf(run: number): number {
    return run === 0 ? 0 : this.#slab.ints[run]! >>> classBits;
  }

  /** Returns the sender of an entry of a run. @param place index of the entry, 0 to the run's length minus 1. */
  senderIn(run: number, place: number): number {
    return this.#slab.ints[run + pairsAt + place * pairInts]!;
  }

  individualIn(run: number, place: number): Contribution {
    return this.#slab.ints[run + pairsAt + place * pairInts + 1]!;
  }

  /**
   * Removes the individual contribution at an index from a list, and moves the last contribution into its place.
   * @returns the removed contribution.
   */
  removeIndividual(level: number, list: IndividualList, place: number): Contribution {
    const run = this.run(level, list);
    const { ints } = this.#slab;
    const removed = this.individualIn(run, place);
    const last = this.countOf(run) - 1;
    const [from, to] = [run + pairsAt + last * pairInts, run + pairsAt + place * pairInts];
    ints[to] = ints[from]!;
    ints[to + 1] = ints[from + 1]!;
    ints[run]! -= 1 << classBits;
    if (last === 0) {
      const runClass = this.#classOf(run);
      this.#slab.release(run, runClass);
      this.#countInts(-(1 << runClass));
      ints[this.#at(level, list)] = 0;
    }
    return removed;
  }

  /** Returns the run of a list, enlarged if it has no room for one more entry. */
  #roomyRun(level: number, list: IndividualList): number {
    const run = this.run(level, list);
    if (run === 0) return this.#placeRun(level, list, this.#slab.allocate(smallestRunClass), smallestRunClass);
    const runClass = this.#classOf(run);
    if (pairsAt + (this.countOf(run) + 1) * pairInts <= 1 << runClass) return run;
    this.#countInts(-(1 << runClass));
    return this.#placeRun(level, list, this.#slab.grow(run, runClass), runClass + 1);
  }

  #placeRun(level: number, list: IndividualList, run: number, runClass: number): number {
    const { ints } = this.#slab;
    ints[run] = (this.countOf(run) << classBits) | runClass;
    ints[this.#at(level, list)] = run;
    this.#countInts(1 << runClass);
    return run;
  }

  #classOf(run: number): number {
    return this.#slab.ints[run]! & ((1 << classBits) - 1);
  }

  #insertQueued(level: number, before: number, sender: number, rank: number): number {
    const entry = this.#slab.allocate(entryClass);
    this.#countInts(1 << entryClass);
    this.#set(entry, column.sender, sender);
    this.#set(entry, column.next, this.after(level, before));
    this.#link(level, before, entry);
    this.#set(entry, column.rank, rank);
    this.#set(entry, column.score, unscored);
    return entry;
  }

  #countInts(change: number): void {
    const { ints } = this.#slab;
    ints[this.#record + intsAt]! += change;
    if (this.ints > this.maxInts) ints[this.#record + maxAt] = this.ints;
  }

  /** Makes `entry` the next entry after `before`, or the first entry if `before` is `nil`. */
  #link(level: number, before: number, entry: number): void {
    if (before !== nil) this.#set(before, column.next, entry);
    else this.#slab.ints[this.#at(level, List.queued)] = entry + 1;
  }

  #at(level: number, list: number): number {
    return this.#record + listsAt + (level - 1) * lists + list;
  }

  #get(entry: number, which: number): number {
    return this.#slab.ints[entry + which]!;
  }

  #set(entry: number, which: number, value: number): void {
    this.#slab.ints[entry + which] = value | 0;
  }
}

/** Calls a function for each contribution on one list of a level; the contributions are lent for the call. */
export function visitPending(
  pending: Pending,
  level: number,
  list: PendingList,
  visit: (sender: number, aggregate: Contribution, individual: Contribution) => void,
): void {
  if (list === List.queued) {
    for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
      visit(pending.sender(entry), pending.aggregate(entry), pending.individual(entry));
    }
    return;
  }
  const run = pending.run(level, list);
  for (let place = pending.countOf(run) - 1; place >= 0; place--) {
    visit(pending.senderIn(run, place), noContribution, pending.individualIn(run, place));
  }
}
