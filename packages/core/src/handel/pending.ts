import { type Contribution, NONE } from '../protocol.ts';

/** Columns of an entry. */
const column = { sender: 0, rank: 1, aggregate: 2, individual: 3, score: 4, next: 5 } as const;
const columns = 6;

/** In the column of scores: not computed since In_l last changed. */
export const unscored = -1;

/** No entry. */
export const nil = -1;

/** The lists that a level has. */
export const List = {
  /** To be verified, in order of rank; at most one entry per sender (v1.03 section 3.5.2). */
  queued: 0,
  /** Individual contributions that In_l already contains: of no use now, but never lost, for In_l may be replaced (section 2.4). */
  dormant: 1,
  /** Verified individual contributions, to be united with others (section 3.3). */
  verified: 2,
} as const;
const lists = 3;

/**
 * The contributions of a node's peers that are kept per level: entries in one pool of integers, linked into the three lists of each
 * level. Handles in an entry are retained for it.
 */
export class Pending {
  readonly #heads: Int32Array;
  #pool = new Int32Array(0);
  #used = 0;
  #free = nil;

  constructor(levels: number) {
    this.#heads = new Int32Array((levels + 1) * lists).fill(nil);
  }

  head(level: number, list: number): number {
    return this.#heads[level * lists + list]!;
  }

  next(entry: number): number {
    return this.#pool[entry * columns + column.next]!;
  }

  sender(entry: number): number {
    return this.#pool[entry * columns + column.sender]!;
  }

  rank(entry: number): number {
    return this.#pool[entry * columns + column.rank]!;
  }

  aggregate(entry: number): Contribution {
    return this.#pool[entry * columns + column.aggregate]!;
  }

  individual(entry: number): Contribution {
    return this.#pool[entry * columns + column.individual]!;
  }

  score(entry: number): number {
    return this.#pool[entry * columns + column.score]!;
  }

  setAggregate(entry: number, contribution: Contribution): void {
    this.#pool[entry * columns + column.aggregate] = contribution;
    this.setScore(entry, unscored);
  }

  setIndividual(entry: number, contribution: Contribution): void {
    this.#pool[entry * columns + column.individual] = contribution;
    this.setScore(entry, unscored);
  }

  setScore(entry: number, score: number): void {
    this.#pool[entry * columns + column.score] = score;
  }

  /** The queued entry of a sender, by the rank that it has now; made, without contributions, where there is none. */
  queue(level: number, sender: number, rank: number): number {
    let before = nil;
    let entry = this.head(level, List.queued);
    while (entry !== nil && this.rank(entry) < rank) {
      before = entry;
      entry = this.next(entry);
    }
    // Ranks are a permutation of the senders plus multiples of N, so equal ranks are the same sender's.
    if (entry !== nil && this.rank(entry) === rank) return entry;
    return this.#insert(level, List.queued, before, sender, rank);
  }

  /** A new entry at the front of a list whose order does not matter. */
  push(level: number, list: number, sender: number, individual: Contribution): void {
    const entry = this.#insert(level, list, nil, sender, 0);
    this.setIndividual(entry, individual);
  }

  /** Takes the entry after `before` (the first one for nil) off a list; its handles are now the caller's. */
  remove(level: number, list: number, before: number): void {
    const entry = before === nil ? this.head(level, list) : this.next(before);
    const next = this.next(entry);
    if (before === nil) this.#heads[level * lists + list] = next;
    else this.#pool[before * columns + column.next] = next;
    this.#pool[entry * columns + column.next] = this.#free;
    this.#free = entry;
  }

  /** How many entries a list has. */
  length(level: number, list: number): number {
    let length = 0;
    for (let entry = this.head(level, list); entry !== nil; entry = this.next(entry)) length++;
    return length;
  }

  #insert(level: number, list: number, before: number, sender: number, rank: number): number {
    const entry = this.#take();
    const at = entry * columns;
    this.#pool[at + column.sender] = sender;
    this.#pool[at + column.rank] = rank;
    this.#pool[at + column.aggregate] = NONE;
    this.#pool[at + column.individual] = NONE;
    this.#pool[at + column.score] = unscored;
    if (before === nil) {
      this.#pool[at + column.next] = this.head(level, list);
      this.#heads[level * lists + list] = entry;
    } else {
      this.#pool[at + column.next] = this.next(before);
      this.#pool[before * columns + column.next] = entry;
    }
    return entry;
  }

  #take(): number {
    if (this.#free !== nil) {
      const entry = this.#free;
      this.#free = this.next(entry);
      return entry;
    }
    if ((this.#used + 1) * columns > this.#pool.length) {
      const larger = new Int32Array(Math.max(4 * columns, this.#pool.length * 2));
      larger.set(this.#pool);
      this.#pool = larger;
    }
    return this.#used++;
  }
}
