import { expected, requireArray, requireObject } from '../errors.ts';
import type { Stakes } from './stakes.ts';

/** That the signers weigh so much. */
export interface Requirement {
  readonly stakes: Stakes;
  /** 1 to the total of the stakes. */
  readonly least: bigint;
}

/**
 * What an output's signers must weigh: so much of one vector of stakes, or of each of several over the same members.
 * Weights are summed exactly.
 */
export class Quorum {
  readonly requirements: readonly Requirement[];
  /** Of each requirement, the score under which the weight is less for certain. */
  readonly #leastScores: readonly number[];

  /** @throws RangeError for no requirement, for one that nobody can meet, and for stakes of different numbers of nodes. */
  constructor(requirements: readonly Requirement[]) {
    requireArray('requirements', requirements);
    if (requirements.length === 0) throw new RangeError(expected('requirements', 'at least one', 'none'));
    for (const [index, one] of requirements.entries()) {
      requireObject(`requirements[${index}]`, one);
      const { stakes, least } = one;
      if (least <= 0n || least > stakes.total)
        throw new RangeError(expected(`requirements[${index}].least`, `1 to the total of ${stakes.total}`, least));
      if (stakes.nodes !== requirements[0]!.stakes.nodes)
        throw new RangeError(
          expected(`requirements[${index}].stakes`, `${requirements[0]!.stakes.nodes} nodes`, stakes.nodes),
        );
    }
    this.requirements = [...requirements];
    this.#leastScores = requirements.map(({ stakes, least }) => stakes.scoreOf(least));
  }

  /**
   * False where signers with this score cannot meet the quorum, which costs less to see than {@link isMet}: each
   * signer's score is less than 1 under its scaled weight.
   *
   * @param stakes those that the score is of, if any.
   */
  mayBeMet(stakes: Stakes | undefined, score: number, signers: number): boolean {
    return this.requirements.every(
      (one, index) => one.stakes !== stakes || score + signers >= this.#leastScores[index]!,
    );
  }

  /** Whether the signers weigh enough: bit b of word b >> 5 is the member at position b. */
  isMet(words: Int32Array): boolean {
    return this.requirements.every(({ stakes, least }) => stakes.sum(words) >= least);
  }
}
