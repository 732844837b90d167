import { popcount } from '../../contribution/popcount.ts';
import type { VoteSets } from './voteSets.ts';

/** The votes that one full node knows of from the global topic. */
export class Reach {
  readonly #sets: VoteSets;
  readonly #union: Int32Array;
  #votes = 0;

  /** @param voters places that vote. */
  constructor(sets: VoteSets, voters: number) {
    this.#sets = sets;
    this.#union = new Int32Array((voters / sets.members) * sets.words);
  }

  get votes(): number {
    return this.#votes;
  }

  /** @param onVote is told the place of each vote that is new. */
  add(index: number, onVote?: (place: number) => void): void {
    const { words, members } = this.#sets;
    const group = this.#sets.group(index);
    for (let word = 0; word < words; word++) {
      const at = group * words + word;
      const fresh = this.#sets.word(index, word) & ~this.#union[at]!;
      if (fresh === 0) continue;
      this.#union[at]! |= fresh;
      this.#votes += popcount(fresh);
      if (onVote === undefined) continue;
      for (let left = fresh; left !== 0; left &= left - 1) {
        onVote(group * members + word * 32 + (31 - Math.clz32(left & -left)));
      }
    }
  }
}
