import type { Contribution } from '@tutti/core';
import type { Slab } from '@tutti/core/packed';

/** A verification: of what, and whom it came from. */
export interface WaitingVerification {
  readonly level: number;
  readonly sender: number;
  readonly contribution: Contribution;
}

/** Columns of an entry. */
const column = { level: 0, sender: 1, contribution: 2, mark: 3 } as const;
const entryBits = 2;

/** A list's record: where its run of integers lies, of 2^sizeClass of them, which entry is first, and how many. */
const field = { run: 0, sizeClass: 1, first: 2, count: 3 } as const;
export const listInts = 4;

/** A run begins with 4 entries, a cache line. */
const initialSizeClass = 4;

/** In the column of marks: not computed since what it depends on last changed. */
export const unmarked = -1;

/**
 * Lists of checks, many of them in one slab: a list goes round in its run, so that taking its first entry moves none.
 * An entry has a place from 0 to count - 1, and beside the check a mark that is its user's. Where thousands of nodes
 * have lists, an object for each check would be one more place in memory to wait for.
 */
export class VerificationLists {
  readonly #slab: Slab;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /** Makes an empty list, whose record is to lie there in {@link listInts} integers of zero. */
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

  /** The check at a place. */
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

  /** Adds a check behind the others, unmarked. */
  push(list: number, level: number, sender: number, contribution: Contribution): void {
    const count = this.count(list);
    if (count << entryBits === 1 << this.#slab.ints[list + field.sizeClass]!) this.#grow(list);
    this.#slab.ints[list + field.count] = count + 1;
    this.set(list, count, level, sender, contribution, unmarked);
  }

  /** Takes out the first check of a list that has one. */
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
    // So few are copied sooner than copyWithin begins.
    for (let which = 0; which < 1 << entryBits; which++) ints[target + which] = ints[source + which]!;
  }

  /** Leaves the first `count` entries. */
  shorten(list: number, count: number): void {
    this.#slab.ints[list + field.count] = count;
  }

  /** Takes out an entry; those behind it move up. */
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

  /** Gives a full list a run of twice the length, in which it begins at the beginning. */
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
