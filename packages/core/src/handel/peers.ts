/** What a node remembers of a peer, as bits of one integer beside the peer's id. */
export const PeerFact = {
  /** It said that it has our level complete (v1.03 section 6). */
  received: 1 << 21,
  /** It sent an invalid contribution (v1.03 section 3.5.3). */
  blacklisted: 1 << 22,
  /** Its individual contribution is pending or verified: it is not taken in again. */
  individualKnown: 1 << 23,
} as const;

const idMask = (1 << 21) - 1;
const verifiedShift = 24;
/** Verifications are counted in 7 bits; a peer verified more often keeps the last rank. */
const maxVerified = 127;

/**
 * What a node remembers of its peers, and only of those that it has heard of: a hash table of single integers, because N of anything per
 * node would be N x N in a simulation.
 */
export class Peers {
  /** id + 1 in the low 21 bits (0: free), facts, verifications in the high 7. Linear probing; capacity a power of two. */
  #slots = new Int32Array(16);
  #used = 0;

  has(id: number, fact: number): boolean {
    return (this.#slots[this.#find(id)]! & fact) !== 0;
  }

  /** How many contributions of the peer were verified; each moves it N places down the ranks (v1.0 section 3.6). */
  verified(id: number): number {
    return this.#slots[this.#find(id)]! >>> verifiedShift;
  }

  add(id: number, fact: number): void {
    this.#slots[this.#insert(id)]! |= fact;
  }

  countVerified(id: number): void {
    const slot = this.#insert(id);
    if (this.#slots[slot]! >>> verifiedShift < maxVerified) this.#slots[slot]! += 1 << verifiedShift;
  }

  /** The peer's slot, or the free one where it would go. */
  #find(id: number): number {
    const mask = this.#slots.length - 1;
    let slot = (Math.imul(id, 0x9e3779b1) >>> 8) & mask;
    while (true) {
      const key = this.#slots[slot]! & idMask;
      if (key === 0 || key === id + 1) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #insert(id: number): number {
    let slot = this.#find(id);
    if (this.#slots[slot] !== 0) return slot;
    if (this.#used * 4 >= this.#slots.length * 3) {
      this.#grow();
      slot = this.#find(id);
    }
    this.#used++;
    this.#slots[slot] = id + 1;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (const value of old) if (value !== 0) this.#slots[this.#find((value & idMask) - 1)] = value;
  }
}
