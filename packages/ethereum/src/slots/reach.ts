import { popcount } from '@tutti/core/internal';
import type { VoteSets } from './voteSets.ts';

/** Marked places as words, laid out as sets of their groups are, one group after another. */
export function wordsOf({ members, words }: VoteSets, marks: Uint8Array): Int32Array {
  const all = new Int32Array((marks.length / members) * words);
  marks.forEach((mark, place) => {
    const bit = place % members;
    if (mark === 1) all[Math.floor(place / members) * words + (bit >>> 5)]! |= 1 << (bit & 31);
  });
  return all;
}

/** The votes that one full node knows of from the global topic. */
export class Reach {
  readonly #sets: VoteSets;
  readonly #counted: Int32Array;
  readonly #union: Int32Array;
  #votes = 0;

  /** @param counted the places whose votes count, as {@link wordsOf} has them. */
  constructor(sets: VoteSets, counted: Int32Array) {
    this.#sets = sets;
    this.#counted = counted;
    this.#union = new Int32Array(counted.length);
  }

  /** Those that count. */
  get votes(): number {
    return this.#votes;
  }

  /** @param onVote called with the place of each new vote, counted or not. */
  add(index: number, onVote?: (place: number) => void): void {
    const { words, members } = this.#sets;
    const group = this.#sets.group(index);
    for (let word = 0; word < words; word++) {
      const at = group * words + word;
      const fresh = this.#sets.word(index, word) & ~this.#union[at]!;
      if (fresh === 0) continue;
      this.#union[at]! |= fresh;
      this.#votes += popcount(fresh & this.#counted[at]!);
      if (onVote === undefined) continue;
      for (let left = fresh; left !== 0; left &= left - 1) {
        onVote(group * members + word * 32 + (31 - Math.clz32(left & -left)));
      }
    }
  }
}
