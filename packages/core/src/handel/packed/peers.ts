import { Slab, sizeClass } from '../../slab.ts';

/** What a node remembers of a peer, as bits of one integer beside the peer's id. */
export const PeerFact = {
  /** It is not to be contacted again; its level is too large for its line to keep that. */
  silenced: 1 << 22,
  /** It sent an invalid contribution (v1.03 section 3.5.3). */
  blacklisted: 1 << 23,
  /** Its individual contribution is pending or verified: it is not taken in again. */
  individualKnown: 1 << 24,
} as const;

const idMask = (1 << 22) - 1;
const verifiedShift = 25;
/**
 * Verifications are counted in 7 bits of the peer's slot, and beyond that in the upper 10 bits of another slot, which
 * few peers ever need.
 */
const verifiedInSlot = 1 << 7;
const carryShift = 22;
/** That slot is kept as another peer's would be, with an id that no peer has. */
const carryIds = 1 << 20;

/**
 * A node's record: where its table lies, of 2^sizeClass slots, how many are used, and the facts known of any peer at
 * all, where most questions end. A slot has id + 1 in its low 22 bits (0: free), facts, verifications in the high 7;
 * probing is linear.
 */
export const peersField = { table: 0, sizeClass: 1, used: 2, known: 3 } as const;
const recordInts = 4;

/** Among the facts known of any peer: that one was verified more often than its slot counts. */
const carried = 1;

/** A table begins with 2^4 slots. */
const initialSizeClass = 4;

/**
 * What a node remembers of the peers that it has heard of: a hash table of single integers, because N of anything per
 * node would be N x N in a simulation.
 */
export class Peers {
  readonly #slab: Slab;
  /** The record of the node that is turned to. */
  #record: number;

  /** @param record where the record of a first node is to lie. Default: in a run of its own. */
  constructor(slab = new Slab(), record = slab.allocate(sizeClass(recordInts))) {
    this.#slab = slab;
    this.#record = record;
    this.open(record);
  }

  /** Makes a table for another node, whose record is to lie there in four integers of zero, and turns to it. */
  open(record: number): void {
    this.enter(record);
    this.#setField(peersField.table, this.#slab.allocate(initialSizeClass));
    this.#setField(peersField.sizeClass, initialSizeClass);
  }

  /** Turns to the node whose record lies there. */
  enter(record: number): void {
    this.#record = record;
  }

  /** Integers that the table takes. */
  get ints(): number {
    return 1 << this.#field(peersField.sizeClass);
  }

  /** Whether any of the facts (their bits together) is known of the peer. */
  has(id: number, facts: number): boolean {
    return this.hasAny(facts) && (this.#value(id) & facts) !== 0;
  }

  /** Whether any of the facts is known of any peer. */
  hasAny(facts: number): boolean {
    return (this.#field(peersField.known) & facts) !== 0;
  }

  /** How many contributions of the peer were verified; each moves it down the ranks (v1.0 section 3.6). */
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
    ints[slot]! &= (1 << verifiedShift) - 1;
    this.#setField(peersField.known, this.#field(peersField.known) | carried);
    // Inserting may move the table, and the slab with it.
    const carry = this.#insert(id + carryIds);
    this.#slab.ints[carry]! += 1 << carryShift;
  }

  #value(id: number): number {
    const slot = this.#find(id);
    return this.#slab.ints[slot]!;
  }

  /** The address of the peer's slot, or of the free one where it would go. */
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

/** The slot of a table where to look for a peer first. */
export function firstSlot(id: number, mask: number): number {
  return (Math.imul(id, 0x9e3779b1) >>> 8) & mask;
}
