import type { AggregationScheme, Contribution } from '@tutti/core';
import { firstSlot, Slab } from '@tutti/core/packed';

/**
 * Deviations of the Go reference from the paper in the published runs. The deviations are wrapped around a Handel node,
 * which is unaware of them, for the calibrated model of the deployment.
 */
export const referenceQuirks = [
  /** A node with nothing better to verify verifies individual contributions that add nothing to an incomplete level. */
  'idle-checks',
  /**
   * A node chooses the next verification before it has merged the last one, and therefore verifies many contributions
   * twice.
   */
  'stale-choice',
  /** When a level's start time comes, a node immediately sends to as many peers as the fast path contacts. */
  'start-burst',
  /** A node stops sending on a level after one round through the peers, until Out_l has grown. */
  'one-round',
  /**
   * A node neither sends nor reads the flag for a complete level. Instead, the node omits its individual contribution.
   */
  'no-level-flag',
] as const;
/** One of {@link referenceQuirks}. */
export type ReferenceQuirk = (typeof referenceQuirks)[number];

/** A verification with its contribution and sender. */
export interface WaitingVerification {
  readonly level: number;
  readonly sender: number;
  readonly contribution: Contribution;
}

/** Columns of an entry. */
const entryColumn = { level: 0, sender: 1, contribution: 2, mark: 3 } as const;
/** Log2 of the number of integers in an entry. */
const entryBits = 2;

/**
 * Fields of a list's record: the address of its run, its size class (2^sizeClass integers), the first entry, and the
 * number of entries.
 */
const listField = { run: 0, sizeClass: 1, first: 2, count: 3 } as const;
/** Number of integers in a list's record. */
export const listInts = 4;

/** Initial size class of a run: 2^4 integers, that is, 4 entries or one cache line. */
const firstListClass = 4;

/** Placeholder for a mark that has not been computed since its inputs changed. */
export const unmarked = -1;

/**
 * Lists of verifications in one slab. A list is a ring buffer in its run, so removing its first entry moves no other
 * entry. An entry has a place from 0 to count - 1 and a mark whose meaning the caller defines. With thousands of nodes,
 * an object per verification would cost additional memory accesses.
 */
export class VerificationLists {
  readonly #slab: Slab;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /** Creates an empty list, whose record occupies {@link listInts} zeroed integers at this address. */
  open(list: number): void {
    const run = this.#slab.allocate(firstListClass);
    this.#slab.ints[list + listField.run] = run;
    this.#slab.ints[list + listField.sizeClass] = firstListClass;
  }

  count(list: number): number {
    return this.#slab.ints[list + listField.count]!;
  }

  level(list: number, place: number): number {
    return this.#slab.ints[this.#entry(list, place) + entryColumn.level]!;
  }

  sender(list: number, place: number): number {
    return this.#slab.ints[this.#entry(list, place) + entryColumn.sender]!;
  }

  contribution(list: number, place: number): Contribution {
    return this.#slab.ints[this.#entry(list, place) + entryColumn.contribution]!;
  }

  mark(list: number, place: number): number {
    return this.#slab.ints[this.#entry(list, place) + entryColumn.mark]!;
  }

  setMark(list: number, place: number, mark: number): void {
    this.#slab.ints[this.#entry(list, place) + entryColumn.mark] = mark | 0;
  }

  /** Returns the verification at the given place. */
  get(list: number, place: number): WaitingVerification {
    const entry = this.#entry(list, place);
    const { ints } = this.#slab;
    return {
      level: ints[entry + entryColumn.level]!,
      sender: ints[entry + entryColumn.sender]!,
      contribution: ints[entry + entryColumn.contribution]!,
    };
  }

  set(list: number, place: number, level: number, sender: number, contribution: Contribution, mark: number): void {
    const entry = this.#entry(list, place);
    const { ints } = this.#slab;
    ints[entry + entryColumn.level] = level | 0;
    ints[entry + entryColumn.sender] = sender | 0;
    ints[entry + entryColumn.contribution] = contribution | 0;
    ints[entry + entryColumn.mark] = mark | 0;
  }

  /** Appends an unmarked verification. */
  push(list: number, level: number, sender: number, contribution: Contribution): void {
    const count = this.count(list);
    if (count << entryBits === 1 << this.#slab.ints[list + listField.sizeClass]!) this.#grow(list);
    this.#slab.ints[list + listField.count] = count + 1;
    this.set(list, count, level, sender, contribution, unmarked);
  }

  /** Removes and returns the first verification. The list must not be empty. */
  shift(list: number): WaitingVerification {
    const first = this.get(list, 0);
    const { ints } = this.#slab;
    ints[list + listField.first]!++;
    ints[list + listField.count]!--;
    return first;
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
    this.#slab.ints[list + listField.count] = count;
  }

  /** Removes an entry. Later entries move up. */
  remove(list: number, place: number): void {
    const last = this.count(list) - 1;
    for (let at = place; at < last; at++) this.copy(list, at + 1, at);
    this.shorten(list, last);
  }

  #entry(list: number, place: number): number {
    const { ints } = this.#slab;
    const placeMask = (1 << (ints[list + listField.sizeClass]! - entryBits)) - 1;
    return ints[list + listField.run]! + (((ints[list + listField.first]! + place) & placeMask) << entryBits);
  }

  /** Moves a full list to the beginning of a run of twice the length. */
  #grow(list: number): void {
    const slab = this.#slab;
    const old = slab.ints[list + listField.run]!;
    const oldClass = slab.ints[list + listField.sizeClass]!;
    const run = slab.allocate(oldClass + 1);
    const { ints } = slab;
    const start = this.#entry(list, 0);
    ints.copyWithin(run, start, old + (1 << oldClass));
    ints.copyWithin(run + old + (1 << oldClass) - start, old, start);
    ints[list + listField.run] = run;
    ints[list + listField.sizeClass] = oldClass + 1;
    ints[list + listField.first] = 0;
    slab.release(old, oldClass);
  }
}

/**
 * Fields of a set's record: the address of its table, its size class (2^sizeClass slots), and the number of used slots.
 */
const setField = { table: 0, sizeClass: 1, used: 2 } as const;
/** Number of integers of a set's record. */
export const setInts = 3;

/** Initial size class of a table: 2^4 slots, one cache line. */
const firstSetClass = 4;

/**
 * Log2 of the number of ids per slot. A slot contains the number of its group of sixteen ids in the high 16 bits, and
 * one bit per id in the low 16 bits.
 */
const slotBits = 4;
const idMask = (1 << slotBits) - 1;
const keyShift = 16;

/**
 * Sets of node ids in one slab, to which ids are only added. Each set is a hash table, because N bits per node would
 * require N x N bits in a simulation. Neighbouring ids share a slot; the value 0 marks a free slot. Probing is linear.
 */
export class IdSets {
  readonly #slab: Slab;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /** Creates an empty set, whose record occupies {@link setInts} zeroed integers at this address. */
  open(set: number): void {
    const table = this.#slab.allocate(firstSetClass);
    this.#slab.ints[set + setField.table] = table;
    this.#slab.ints[set + setField.sizeClass] = firstSetClass;
  }

  /** Adds an id. @param id 0 to 2^20 - 1. @returns whether the id is new to the set. */
  add(set: number, id: number): boolean {
    const { ints } = this.#slab;
    const key = id >>> slotBits;
    const bit = 1 << (id & idMask);
    const slot = this.#find(set, key);
    const value = ints[slot]!;
    if ((value & bit) !== 0) return false;
    if (value !== 0) ints[slot] = value | bit;
    else this.#use(set, slot, (key << keyShift) | bit);
    return true;
  }

  /** Fills a free slot. The table remains at most three quarters full. */
  #use(set: number, slot: number, value: number): void {
    const { ints } = this.#slab;
    const used = ints[set + setField.used]! + 1;
    ints[slot] = value;
    ints[set + setField.used] = used;
    if (used * 4 > 3 << ints[set + setField.sizeClass]!) this.#rehash(set);
  }

  /** Returns the address of the key's slot, or of the free slot where it would be inserted. */
  #find(set: number, key: number): number {
    const { ints } = this.#slab;
    const table = ints[set + setField.table]!;
    const mask = (1 << ints[set + setField.sizeClass]!) - 1;
    let slot = firstSlot(key, mask);
    while (true) {
      const value = ints[table + slot]!;
      if (value === 0 || value >>> keyShift === key) return table + slot;
      slot = (slot + 1) & mask;
    }
  }

  #rehash(set: number): void {
    const slab = this.#slab;
    const old = slab.ints[set + setField.table]!;
    const oldClass = slab.ints[set + setField.sizeClass]!;
    const table = slab.allocate(oldClass + 1);
    const { ints } = slab;
    ints[set + setField.table] = table;
    ints[set + setField.sizeClass] = oldClass + 1;
    for (let at = old; at < old + (1 << oldClass); at++) {
      const value = ints[at]!;
      if (value !== 0) ints[this.#find(set, value >>> keyShift)] = value;
    }
    slab.release(old, oldClass);
  }
}

/** Log2 of the number of integers in a level's line of a node's record. */
export const lineBits = 2;

/** Layout of a node's record: two lists, a set, and the lines of levels 0 to L. */
export const quirkRecord = {
  aggregates: 0,
  idle: listInts,
  seen: 2 * listInts,
  lines: 2 * listInts + setInts,
} as const;

/** State that nodes with the same deviations share: the deviations, and the slab with each node's record. */
export class QuirkMemory {
  readonly scheme: AggregationScheme;
  readonly has: Readonly<Record<ReferenceQuirk, boolean>>;
  /** Number of peers that a burst contacts. */
  readonly startPeers: number;
  readonly slab = new Slab();
  readonly lists = new VerificationLists(this.slab);
  readonly sets = new IdSets(this.slab);

  constructor(scheme: AggregationScheme, quirks: readonly ReferenceQuirk[], startPeers: number) {
    this.scheme = scheme;
    this.startPeers = startPeers;
    this.has = {
      'idle-checks': quirks.includes('idle-checks'),
      'stale-choice': quirks.includes('stale-choice'),
      'start-burst': quirks.includes('start-burst'),
      'one-round': quirks.includes('one-round'),
      'no-level-flag': quirks.includes('no-level-flag'),
    };
  }

  /** Allocates a node's record. @returns its address. */
  open(): number {
    const at = this.slab.reserve(quirkRecord.lines + ((this.scheme.tree.levels + 1) << lineBits));
    this.lists.open(at + quirkRecord.aggregates);
    this.lists.open(at + quirkRecord.idle);
    this.sets.open(at + quirkRecord.seen);
    return at;
  }
}
