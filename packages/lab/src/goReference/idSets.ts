import type { Slab } from '@tutti/core/packed';

/** A set's record: where its table lies, of 2^sizeClass slots, and how many are used. */
const field = { table: 0, sizeClass: 1, used: 2 } as const;
export const setInts = 3;

/** A table begins with 2^4 slots, a cache line. */
const initialSizeClass = 4;

/** Ids in a slot, 2^4: which of the sixteens of ids it is, in its high 16 bits, and a bit for each in its low 16. */
const slotBits = 4;
const idsInSlot = (1 << slotBits) - 1;
const keyShift = 16;

/**
 * Sets of node ids, many of them in one slab, to which ids are only added: a hash table each, because N bits per node
 * would be N x N in a simulation. Ids next to each other share a slot, 0 where it is free; probing is linear.
 */
export class IdSets {
  readonly #slab: Slab;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /** Makes an empty set, whose record is to lie there in {@link setInts} integers of zero. */
  open(set: number): void {
    const table = this.#slab.allocate(initialSizeClass);
    this.#slab.ints[set + field.table] = table;
    this.#slab.ints[set + field.sizeClass] = initialSizeClass;
  }

  /** @param id 0 to 2^20 - 1. @returns whether it is new to the set. */
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

  /** Fills a free slot; the table is at most three quarters full. */
  #use(set: number, slot: number, value: number): void {
    const { ints } = this.#slab;
    const used = ints[set + field.used]! + 1;
    ints[slot] = value;
    ints[set + field.used] = used;
    if (used * 4 > 3 << ints[set + field.sizeClass]!) this.#rehash(set);
  }

  /** The address of the key's slot, or of the free one where it would go. */
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
