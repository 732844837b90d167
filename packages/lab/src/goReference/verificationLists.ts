import type { Contribution } from '@tutti/core';
import type { Slab } from '@tutti/core/packed';

/** A verification with its contribution and sender. */
export interface WaitingVerification {
  readonly level: number;
  readonly sender: number;
  readonly contribution: Contribution;
}

/** Columns of an entry. */
const column = { level: 0, sender: 1, contribution: 2, mark: 3 } as const;
const entryBits = 2;

/**
 * Fields of a list's record: the address of its run, its size class (2^sizeClass integers), the first entry, and the
 * number of entries.
 */
const field = { run: 0, sizeClass: 1, first: 2, count: 3 } as const;
/** Number of integers of a list's record. */
export const listInts = 4;

/** A run has room for 4 entries at first, a cache line. */
const initialSizeClass = 4;

/** The mark of an entry that was not computed since its inputs changed. */
export const unmarked = -1;

/**
 * Lists of checks in one slab. A list is a ring buffer in its run, so removing its first entry moves none. An entry has
 * a place from 0 to count - 1 and a mark that belongs to the user. With thousands of nodes, an object per check would
 * cost additional memory accesses.
 */
export class VerificationLists {
  readonly #slab: Slab;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /** Creates an empty list, whose record occupies {@link listInts} zeroed integers at this address. */
  open(list: number): void {
    const run = this.#slab.allocate(initialSizeClass);
    this.#slab.ints[list + field.run] = run;
    this.#slab.ints[list + field.sizeClass] = initialSizeClass;
  }

  count(list: number): number {
    return this.#slab.ints[list + field.count]!;
  }

  level(list: number, place: number): number {
    return this.#slab.ints[this.#entry(list, place) + column.level]!;
  }

  sender(list: number, place: number): number {
    return this.#slab.ints[this.#entry(list, place) + column.sender]!;
  }

  contribution(list: number, place: number): Contribution {
    return this.#slab.ints[this.#entry(list, place) + column.contribution]!;
  }

  mark(list: number, place: number): number {
    return this.#slab.ints[this.#entry(list, place) + column.mark]!;
  }

  setMark(list: number, place: number, mark: number): void {
    this.#slab.ints[this.#entry(list, place) + column.mark] = mark | 0;
  }

  /** Returns the check at a place. */
  get(list: number, place: number): WaitingVerification {
    const entry = this.#entry(list, place);
    const { ints } = this.#slab;
    return {
      level: ints[entry + column.level]!,
      sender: ints[entry + column.sender]!,
      contribution: ints[entry + column.contribution]!,
    };
  }

  set(list: number, place: number, level: number, sender: number, contribution: Contribution, mark: number): void {
    const entry = this.#entry(list, place);
    const { ints } = this.#slab;
    ints[entry + column.level] = level | 0;
    ints[entry + column.sender] = sender | 0;
    ints[entry + column.contribution] = contribution | 0;
    ints[entry + column.mark] = mark | 0;
  }

  /** Appends a check, unmarked. */
  push(list: number, level: number, sender: number, contribution: Contribution): void {
    const count = this.count(list);
    if (count << entryBits === 1 << this.#slab.ints[list + field.sizeClass]!) this.#grow(list);
    this.#slab.ints[list + field.count] = count + 1;
    this.set(list, count, level, sender, contribution, unmarked);
  }

  /** Removes and returns the first check. The list must not be empty. */
  shift(list: number): WaitingVerification {
    const check = this.get(list, 0);
    const { ints } = this.#slab;
    ints[list + field.first]!++;
    ints[list + field.count]!--;
    return check;
  }

  /** Copies an entry to another place. */
  copy(list: number, from: number, to: number): void {
    if (from === to) return;
    const { ints } = this.#slab;
    const source = this.#entry(list, from);
    const target = this.#entry(list, to);
    // For a few integers, a loop is faster than a call of copyWithin.
    for (let which = 0; which < 1 << entryBits; which++) ints[target + which] = ints[source + which]!;
  }

  /** Keeps only the first `count` entries. */
  shorten(list: number, count: number): void {
    this.#slab.ints[list + field.count] = count;
  }

  /** Removes an entry. The later ones move up. */
  remove(list: number, place: number): void {
    const last = this.count(list) - 1;
    for (let at = place; at < last; at++) this.copy(list, at + 1, at);
    this.shorten(list, last);
  }

  #entry(list: number, place: number): number {
    const { ints } = this.#slab;
    const places = (1 << (ints[list + field.sizeClass]! - entryBits)) - 1;
    return ints[list + field.run]! + (((ints[list + field.first]! + place) & places) << entryBits);
  }

  /** Moves a full list to the beginning of a run of twice the length. */
  #grow(list: number): void {
    const slab = this.#slab;
    const old = slab.ints[list + field.run]!;
    const oldClass = slab.ints[list + field.sizeClass]!;
    const run = slab.allocate(oldClass + 1);
    const { ints } = slab;
    const start = this.#entry(list, 0);
    ints.copyWithin(run, start, old + (1 << oldClass));
    ints.copyWithin(run + old + (1 << oldClass) - start, old, start);
    ints[list + field.run] = run;
    ints[list + field.sizeClass] = oldClass + 1;
    ints[list + field.first] = 0;
    slab.release(old, oldClass);
  }
}
