import type { Slab } from '../../slab.ts';

/** Facts about a peer, as bits of the integer that holds the peer's id. */
export const PeerFact = {
  /**
   * The peer must not be contacted again. This fact is set only on levels with too many peers for bits in the level's
   * row.
   */
  silenced: 1 << 22,
  /** The peer sent an invalid contribution (v1.03 section 3.5.3). */
  blacklisted: 1 << 23,
  /** The peer's individual contribution is pending or verified, so the node does not accept it again. */
  individualKnown: 1 << 24,
} as const;

const idMask = (1 << 22) - 1;
const verifiedShift = 25;
/**
 * Number of values of the 7-bit verification count in a peer's slot. A second slot, which few peers need, stores the
 * upper 10 bits of the count above the low 22 bits for the id.
 */
const verifiedInSlot = 1 << 7;
const carryShift = 22;
/** Maximum value of the upper bits. A count that reaches the maximum of both slots no longer grows. */
const maxCarry = (1 << 10) - 1;
/** Offset from a peer's id to the id of its second slot, which is not the id of any peer. */
const carryIds = 1 << 20;

/**
 * Fields of a node's record: the address of the node's table, the table's size class (2^sizeClass slots), the number of
 * used slots, and the facts that have been set for any peer. These facts answer most queries without the table. A slot
 * contains id + 1 in its low 22 bits (0: free), then the facts, then the verification count in its high 7 bits. The
 * hash table uses linear probing.
 */
export const peersField = { table: 0, sizeClass: 1, used: 2, known: 3 } as const;

/** Flag in `known`: at least one peer's count needs a second slot. */
const carried = 1;

/** Initial size class: a new table has 2^4 slots. */
const initialSizeClass = 4;

/**
 * Facts about the peers from which a node has received messages, in a hash table of single integers. In a simulation,
 * tables of all N peers for each node would take N x N integers.
 */
export class Peers {
  readonly #slab: Slab;
  /** Address of the current node's record. */
  #record = 0;

  constructor(slab: Slab) {
    this.#slab = slab;
  }

  /**
   * Creates a table for a node, whose record is four zeroed integers at this address, and makes the node the current
   * node.
   */
  open(record: number): void {
    this.enter(record);
    this.#setField(peersField.table, this.#slab.allocate(initialSizeClass));
    this.#setField(peersField.sizeClass, initialSizeClass);
  }

  /** Makes the node whose record is at this address the current node. */
  enter(record: number): void {
    this.#record = record;
  }

  /** Number of integers in the table. */
  get ints(): number {
    return 1 << this.#field(peersField.sizeClass);
  }

  /** Returns whether a fact is set for the peer. */
  has(id: number, fact: number): boolean {
    return this.hasAny(fact) && (this.#value(id) & fact) !== 0;
  }

  /** Returns whether a fact has ever been set for any peer. */
  hasAny(fact: number): boolean {
    return (this.#field(peersField.known) & fact) !== 0;
  }

  /**
   * Returns the number of verified contributions of the peer, up to 2^17 - 1. Each verified contribution moves the peer
   * down the ranks (v1.0 section 3.6).
   */
  verified(id: number): number {
    const few = this.#value(id) >>> verifiedShift;
    if ((this.#field(peersField.known) & carried) === 0) return few;
    return few + verifiedInSlot * (this.#value(id + carryIds) >>> carryShift);
  }

  add(id: number, fact: number): void {
    this.#setField(peersField.known, this.#field(peersField.known) | fact);
    const slot = this.#insert(id);
    this.#slab.ints[slot]! |= fact;
  }

  remove(id: number, fact: number): void {
    const slot = this.#insert(id);
    this.#slab.ints[slot]! &= ~fact;
  }

  countVerified(id: number): void {
    const slot = this.#insert(id);
    const { ints } = this.#slab;
    if (ints[slot]! >>> verifiedShift < verifiedInSlot - 1) {
      ints[slot]! += 1 << verifiedShift;
      return;
    }
    this.#setField(peersField.known, this.#field(peersField.known) | carried);
    const carry = this.#insert(id + carryIds);
    if (this.#slab.ints[carry]! >>> carryShift === maxCarry) return;
    this.#slab.ints[carry]! += 1 << carryShift;
    // The insertion may have moved the table, and with it the slab.
    this.#slab.ints[this.#find(id)]! &= (1 << verifiedShift) - 1;
  }

  #value(id: number): number {
    return this.#slab.ints[this.#find(id)]!;
  }

  /** Returns the address of the peer's slot, or of the free slot in which the peer would be inserted. */
  #find(id: number): number {
    const table = this.#field(peersField.table);
    const { ints } = this.#slab;
    const mask = (1 << this.#field(peersField.sizeClass)) - 1;
    let slot = firstSlot(id, mask);
    while (true) {
      const key = ints[table + slot]! & idMask;
      if (key === 0 || key === id + 1) return table + slot;
      slot = (slot + 1) & mask;
    }
  }

  #insert(id: number): number {
    let slot = this.#find(id);
    if (this.#slab.ints[slot] !== 0) return slot;
    const used = this.#field(peersField.used);
    if (used * 4 >= 3 << this.#field(peersField.sizeClass)) {
      this.#rehash();
      slot = this.#find(id);
    }
    this.#setField(peersField.used, used + 1);
    this.#slab.ints[slot] = id + 1;
    return slot;
  }

  #rehash(): void {
    const slab = this.#slab;
    const old = this.#field(peersField.table);
    const oldClass = this.#field(peersField.sizeClass);
    this.#setField(peersField.table, slab.allocate(oldClass + 1));
    this.#setField(peersField.sizeClass, oldClass + 1);
    const { ints } = slab;
    for (let at = old; at < old + (1 << oldClass); at++) {
      const value = ints[at]!;
      if (value !== 0) ints[this.#find((value & idMask) - 1)] = value;
    }
    slab.release(old, oldClass);
  }

  #field(which: number): number {
    return this.#slab.ints[this.#record + which]!;
  }

  #setField(which: number, value: number): void {
    this.#slab.ints[this.#record + which] = value;
  }
}

/** Returns the slot of a hash table at which the search for an id begins. @param mask number of slots - 1. */
export function firstSlot(id: number, mask: number): number {
  return (Math.imul(id, 0x9e3779b1) >>> 8) & mask;
}
