import type { Slab } from '@tutti/core/packed';

/**
 * Fields of a set's record: the address of its table, its size class (2^sizeClass slots), and the number of used slots.
 */
const field = { table: 0, sizeClass: 1, used: 2 } as const;
/** Number of integers of a set's record. */
export const setInts = 3;

/** A table has 2^4 slots at first, a cache line. */
const initialSizeClass = 4;

/**
 * Ids per slot, 2^4. A slot has the number of its group of sixteen ids in its high 16 bits, and one bit per id in its
 * low 16.
 */
const slotBits = 4;
const idsInSlot = (1 << slotBits) - 1;
const keyShift = 16;

/**
 * Sets of node ids in one slab, to which ids are only added. Each is a hash table, because N bits per node would take N
 * x N in a simulation. Neighbouring ids share a slot; 0 is a free one. Probing is linear.
 */
export class IdSets {
  readonly #slab: Slab;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /** Creates an empty set, whose record occupies {@link setInts} zeroed integers at this address. */
  open(set: number): void {
    const table = this.#slab.allocate(initialSizeClass);
    this.#slab.ints[set + field.table] = table;
    this.#slab.ints[set + field.sizeClass] = initialSizeClass;
  }

  /** Adds an id. @param id 0 to 2^20 - 1. @returns whether it is new to the set. */
  add(set: number, id: number): boolean {
    const { ints } = this.#slab;
    const key = id >>> slotBits;
    const bit = 1 << (id & idsInSlot);
    const slot = this.#find(set, key);
    const value = ints[slot]!;
    if ((value & bit) !== 0) return false;
    if (value !== 0) ints[slot] = value | bit;
    else this.#use(set, slot, (key << keyShift) | bit);
    return true;
  }

  /** Fills a free slot. The table is at most three quarters full. */
  #use(set: number, slot: number, value: number): void {
    const { ints } = this.#slab;
    const used = ints[set + field.used]! + 1;
    ints[slot] = value;
    ints[set + field.used] = used;
    if (used * 4 > 3 << ints[set + field.sizeClass]!) this.#rehash(set);
  }

  /** Returns the address of the key's slot, or of the free slot where it would be inserted. */
  #find(set: number, key: number): number {
    const { ints } = this.#slab;
    const table = ints[set + field.table]!;
    const mask = (1 << ints[set + field.sizeClass]!) - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 8) & mask;
    while (true) {
      const value = ints[table + slot]!;
      if (value === 0 || value >>> keyShift === key) return table + slot;
      slot = (slot + 1) & mask;
    }
  }

  #rehash(set: number): void {
    const slab = this.#slab;
    const old = slab.ints[set + field.table]!;
    const oldClass = slab.ints[set + field.sizeClass]!;
    const table = slab.allocate(oldClass + 1);
    const { ints } = slab;
    ints[set + field.table] = table;
    ints[set + field.sizeClass] = oldClass + 1;
    for (let at = old; at < old + (1 << oldClass); at++) {
      const value = ints[at]!;
      if (value !== 0) ints[this.#find(set, value >>> keyShift)] = value;
    }
    slab.release(old, oldClass);
  }
}
