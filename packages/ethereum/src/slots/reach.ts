import { popcount } from '@tutti/core/packed';
import type { PublishedSet } from './network/slotRun.ts';

/**
 * Packs marked places into words, in the layout of the groups' sets, one group after another.
 *
 * @param members number of members per group.
 */
export function wordsOf(members: number, marks: Uint8Array): Int32Array {
  const words = Math.ceil(members / 32);
  const all = new Int32Array((marks.length / members) * words);
  marks.forEach((mark, place) => {
    const bit = place % members;
    if (mark === 1) all[Math.floor(place / members) * words + (bit >>> 5)]! |= 1 << (bit & 31);
  });
  return all;
}

/** Votes that one full node knows from the global topic. */
export class Reach {
  readonly #members: number;
  readonly #counted: Int32Array;
  readonly #union: Int32Array;
  #votes = 0;

  /**
   * Starts with no votes.
   *
   * @param members number of members per group. @param counted places whose votes count, as returned by
   * {@link wordsOf}.
   */
  constructor(members: number, counted: Int32Array) {
    this.#members = members;
    this.#counted = counted;
    this.#union = new Int32Array(counted.length);
  }

  /** Number of votes that count. */
  get votes(): number {
    return this.#votes;
  }

  /**
   * Adds the votes of a set.
   *
   * @param onVote called with the place of each new vote, whether it counts or not.
   */
  add({ group, bits }: Pick<PublishedSet, 'group' | 'bits'>, onVote?: (place: number) => void): void {
    for (let word = 0; word < bits.length; word++) {
      const at = group * bits.length + word;
      const fresh = bits[word]! & ~this.#union[at]!;
      if (fresh === 0) continue;
      this.#union[at]! |= fresh;
      this.#votes += popcount(fresh & this.#counted[at]!);
      if (onVote === undefined) continue;
      for (let left = fresh; left !== 0; left &= left - 1) {
        onVote(group * this.#members + word * 32 + (31 - Math.clz32(left & -left)));
      }
    }
  }
}
