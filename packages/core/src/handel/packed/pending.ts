import { type Contribution, noContribution } from '../../protocol.ts';
import { Slab, sizeClass } from '../../slab.ts';

/** Columns of a queued entry. */
const column = { sender: 0, individual: 1, next: 2, aggregate: 3, rank: 4, score: 5 } as const;
const entryClass = sizeClass(6);

/**
 * A run of individual contributions that are not queued: how many it has, above the 5 bits of its size class; then a
 * sender and its contribution for each.
 */
const classBits = 5;
const pairsAt = 1;
const pairInts = 2;
const smallestRunClass = sizeClass(pairsAt + pairInts);

/** In the column of scores: not computed since In_l last changed. */
export const unscored = -1;

/** No entry. */
export const nil = -1;

/**
 * A node's record: how many integers its entries and runs take, and took at most; then three a level: the head of what
 * is queued, as entry + 1, and where the two runs lie, 0 for one that is empty.
 */
const intsAt = 0;
const maxAt = 1;
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

export type PendingList = (typeof List)[keyof typeof List];

/** The lists of individual contributions alone, in no order that matters. */
export type KeptList = typeof List.dormant | typeof List.verified;

/**
 * The contributions of its peers that a node keeps, per level. What is queued is a list of linked entries of a few
 * integers. If a fifth of the nodes are dead, a node keeps hundreds of individual contributions besides to the end, and
 * goes through them often; so those lie side by side in a run that doubles when it is full. Handles are retained for
 * both.
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

  /** Integers that the entries and runs take. */
  get ints(): number {
    return this.#slab.ints[this.#record + intsAt]!;
  }

  /** Integers that they took when they took most. */
  get maxInts(): number {
    return this.#slab.ints[this.#record + maxAt]!;
  }

  /** The first queued entry, or nil. */
  head(level: number): number {
    return this.#slab.ints[this.#at(level, List.queued)]! - 1;
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
    let entry = this.head(level);
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
    for (let entry = this.head(level); entry !== nil && this.rank(entry) < rank; entry = this.next(entry)) {
      before = entry;
    }
    return this.#insertQueued(level, before, sender, rank);
  }

  /** Takes the entry after `before` (the first one for nil) off the queue; its handles are now the caller's. */
  remove(level: number, before: number): void {
    const entry = before === nil ? this.head(level) : this.next(before);
    this.#link(level, before, this.next(entry));
    this.#slab.release(entry, entryClass);
    this.#countInts(-(1 << entryClass));
  }

  /** How many entries are queued. */
  length(level: number): number {
    let length = 0;
    for (let entry = this.head(level); entry !== nil; entry = this.next(entry)) length++;
    return length;
  }

  /** Keeps an individual contribution. */
  keep(level: number, list: KeptList, sender: number, individual: Contribution): void {
    const run = this.#roomyRun(level, list);
    const { ints } = this.#slab;
    const at = run + pairsAt + this.countOf(run) * pairInts;
    ints[at] = sender;
    ints[at + 1] = individual;
    ints[run]! += 1 << classBits;
  }

  /** The individual contributions that a list has, for the methods below, until any is kept or taken. */
  run(level: number, list: KeptList): number {
    return this.#slab.ints[this.#at(level, list)]!;
  }

  countOf(run: number): number {
    return run === 0 ? 0 : this.#slab.ints[run]! >>> classBits;
  }

  /** @param place from 0 to one less than the run has. */
  senderIn(run: number, place: number): number {
    return this.#slab.ints[run + pairsAt + place * pairInts]!;
  }

  individualIn(run: number, place: number): Contribution {
    return this.#slab.ints[run + pairsAt + place * pairInts + 1]!;
  }

  /** Takes the individual contribution at that place off a list, where the last one then is. @returns it. */
  takeKept(level: number, list: KeptList, place: number): Contribution {
    const run = this.run(level, list);
    const { ints } = this.#slab;
    const taken = this.individualIn(run, place);
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
    return taken;
  }

  /** The list's run, with room for one more. */
  #roomyRun(level: number, list: KeptList): number {
    const run = this.run(level, list);
    if (run === 0) return this.#placeRun(level, list, this.#slab.allocate(smallestRunClass), smallestRunClass);
    const runClass = this.#classOf(run);
    if (pairsAt + (this.countOf(run) + 1) * pairInts <= 1 << runClass) return run;
    this.#countInts(-(1 << runClass));
    return this.#placeRun(level, list, this.#slab.grow(run, runClass), runClass + 1);
  }

  #placeRun(level: number, list: KeptList, run: number, runClass: number): number {
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
    this.#set(entry, column.next, before === nil ? this.head(level) : this.next(before));
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

  /** Makes `entry` the one after `before`, the first one for nil. */
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

/** Tells what is kept on one list of a level, lent. */
export function tellKept(
  pending: Pending,
  level: number,
  list: (typeof List)[keyof typeof List],
  tell: (sender: number, aggregate: Contribution, individual: Contribution) => void,
): void {
  if (list === List.queued) {
    for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
      tell(pending.sender(entry), pending.aggregate(entry), pending.individual(entry));
    }
    return;
  }
  const run = pending.run(level, list);
  for (let place = pending.countOf(run) - 1; place >= 0; place--) {
    tell(pending.senderIn(run, place), noContribution, pending.individualIn(run, place));
  }
}
