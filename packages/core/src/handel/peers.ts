import { Slab } from '../slab.ts';

/** What a node remembers of a peer, as bits of one integer beside the peer's id. */
export const PeerFact = {
  /** It is not to be contacted again, and its level is too large to keep that in the level's line. */
  silenced: 1 << 21,
  /** It sent an invalid contribution (v1.03 section 3.5.3). */
  blacklisted: 1 << 22,
  /** Its individual contribution is pending or verified: it is not taken in again. */
  individualKnown: 1 << 23,
} as const;

const idMask = (1 << 21) - 1;
const verifiedShift = 24;
/** Verifications are counted in 7 bits; a peer verified more often keeps the last rank. */
const maxVerified = 127;

/** A table begins with 2^4 slots. */
const initialSizeClass = 4;

/**
 * What a node remembers of its peers, and only of those that it has heard of: a hash table of single integers, because N of anything per
 * node would be N x N in a simulation.
 */
export class Peers {
  readonly #slab: Slab;
  /** Slots: id + 1 in the low 21 bits (0: free), facts, verifications in the high 7. Linear probing. */
  #address: number;
  #sizeClass = initialSizeClass;
  #used = 0;
  /** The facts known of any peer at all: most questions end here. */
  #known = 0;

  constructor(slab = new Slab()) {
    this.#slab = slab;
    this.#address = slab.allocate(initialSizeClass);
  }

  /** Whether any of the facts (their bits together) is known of the peer. */
  has(id: number, facts: number): boolean {
    return (this.#known & facts) !== 0 && (this.#value(id) & facts) !== 0;
  }

  /** How many contributions of the peer were verified; each moves it down the ranks (v1.0 section 3.6). */
  verified(id: number): number {
    return this.#value(id) >>> verifiedShift;
  }

  add(id: number, fact: number): void {
    this.#known |= fact;
    const slot = this.#insert(id);
    this.#slab.page(slot)[this.#slab.offset(slot)]! |= fact;
  }

  countVerified(id: number): void {
    const slot = this.#insert(id);
    const page = this.#slab.page(slot);
    const at = this.#slab.offset(slot);
    if (page[at]! >>> verifiedShift < maxVerified) page[at]! += 1 << verifiedShift;
  }

  #value(id: number): number {
    const slot = this.#find(id);
    return this.#slab.page(slot)[this.#slab.offset(slot)]!;
  }

  /** The address of the peer's slot, or of the free one where it would go. */
  #find(id: number): number {
    const page = this.#slab.page(this.#address);
    const start = this.#slab.offset(this.#address);
    const mask = (1 << this.#sizeClass) - 1;
    let slot = (Math.imul(id, 0x9e3779b1) >>> 8) & mask;
    while (true) {
      const key = page[start + slot]! & idMask;
      if (key === 0 || key === id + 1) return this.#address + slot;
      slot = (slot + 1) & mask;
    }
  }

  #insert(id: number): number {
    let slot = this.#find(id);
    const page = this.#slab.page(slot);
    if (page[this.#slab.offset(slot)] !== 0) return slot;
    if (this.#used * 4 >= 3 << this.#sizeClass) {
      this.#rehash();
      slot = this.#find(id);
    }
    this.#used++;
    this.#slab.page(slot)[this.#slab.offset(slot)] = id + 1;
    return slot;
  }

  #rehash(): void {
    const slab = this.#slab;
    const old = this.#address;
    const oldClass = this.#sizeClass;
    this.#sizeClass++;
    this.#address = slab.allocate(this.#sizeClass);
    const page = slab.page(old);
    const start = slab.offset(old);
    for (let at = start; at < start + (1 << oldClass); at++) {
      const value = page[at]!;
      if (value === 0) continue;
      const slot = this.#find((value & idMask) - 1);
      slab.page(slot)[slab.offset(slot)] = value;
    }
    slab.release(old, oldClass);
  }
}
