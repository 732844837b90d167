import { requireArray, requireObject } from '../arguments.ts';
import { expected } from '../errors.ts';
import { requireTree, type Tree, type TreeForm } from '../overlay/tree.ts';

/**
 * Exclusive upper limit of the sum of all weights. Weights are positive, and their sum fits into a signed 64-bit
 * integer.
 */
export const weightLimit = 2n ** 63n;

/** Maximum sum of all members' scores. A sum of scores up to this maximum fits into a signed 32-bit integer. */
const maxScore = 2 ** 30;

const lowBits = 32n;
const lowMask = 2n ** lowBits - 1n;

/**
 * Weights of the members, by position in the tree. Each member has an exact weight and a *score*. Exact weights
 * determine whether a threshold is met. The score is the weight scaled to an integer of at least 1, and is used to
 * compare contributions. The scores of all members sum to at most 2^30. If all weights are equal, the score of a set is
 * its number of members.
 *
 * In the paper, w counts contributions and serves only to compare them (v1.03 section 2.1).
 */
export class Stakes {
  readonly nodes: number;
  /** Form of the tree, which determines the members of a block. */
  readonly form: TreeForm;
  /** Total weight of all members. */
  readonly total: bigint;
  /** Whether all members have the same weight. */
  readonly areEqual: boolean;
  readonly #weights: readonly bigint[];
  /** High part of each weight, bits 32 and above. Sums of high parts and sums of low parts are exact as doubles. */
  readonly #high: Float64Array;
  /** Low 32 bits of each weight. */
  readonly #low: Float64Array;
  /** Total score of the members of each block of the tree. */
  readonly #scores: Int32Array;
  readonly #tree: Tree;

  /**
   * @param weights by position: positive, with a sum less than 2^63.
   * @throws RangeError if the number of weights differs from the number of nodes, if a weight is not positive, or if
   * the sum is too large; TypeError for a value other than a list of BigInts.
   */
  constructor(tree: Tree, weights: readonly bigint[]) {
    requireTree('tree', tree);
    const total = sumOfWeights(weights);
    if (weights.length !== tree.nodes)
      throw new RangeError(expected('weights', `one for each of ${tree.nodes} nodes`, weights.length));
    this.nodes = tree.nodes;
    this.form = tree.form;
    this.total = total;
    this.areEqual = weights.every((one) => one === weights[0]);
    this.#weights = [...weights];
    this.#high = Float64Array.from(weights, (one) => Number(one >> lowBits));
    this.#low = Float64Array.from(weights, (one) => Number(one & lowMask));
    this.#tree = tree;
    this.#scores = new Int32Array(2 * tree.leafBase);
    for (const [id, one] of weights.entries()) this.#scores[tree.leaf(id)] = Math.max(1, this.scoreOf(one));
    for (let block = tree.leafBase - 1; block >= 1; block--)
      this.#scores[block] = this.#scores[2 * block]! + this.#scores[2 * block + 1]!;
  }

  /** Returns the weight of a member. */
  weight(id: number): bigint {
    return this.#weights[id]!;
  }

  /** Returns a member's score, at least 1. */
  score(id: number): number {
    return this.#scores[this.#tree.leaf(id)]!;
  }

  /** Returns the total score of all members of a block. */
  blockScore(block: number): number {
    return this.#scores[block]!;
  }

  /** Returns a weight scaled to the unit of scores, rounded down; 0 if it is less than one unit. */
  scoreOf(weight: bigint): number {
    if (this.areEqual) return Number(weight / this.#weights[0]!);
    return Number((weight * BigInt(maxScore - this.nodes)) / this.total);
  }

  /** Returns the exact weight of a set of members: member m is bit m & 31 of word m >> 5. */
  sum(words: Int32Array): bigint {
    let high = 0;
    let low = 0;
    for (let index = 0; index < words.length; index++) {
      for (let word = words[index]!; word !== 0; word &= word - 1) {
        const id = index * 32 + (31 - Math.clz32(word & -word));
        high += this.#high[id]!;
        low += this.#low[id]!;
      }
    }
    return (BigInt(high) << lowBits) + BigInt(low);
  }

  /** Returns the score of a set: bit b & 31 of word b >> 5 is member start + b. */
  scoreOfSet(words: Int32Array, start: number): number {
    let score = 0;
    for (let index = 0; index < words.length; index++) {
      for (let word = words[index]!; word !== 0; word &= word - 1)
        score += this.score(start + index * 32 + (31 - Math.clz32(word & -word)));
    }
    return score;
  }
}

/**
 * Returns the sum of the weights.
 *
 * @throws RangeError if a weight is not positive or the sum is 2^63 or more; TypeError for a value other than a list of
 * bigints.
 */
export function sumOfWeights(weights: readonly bigint[]): bigint {
  requireArray('weights', weights);
  let total = 0n;
  for (const [index, one] of weights.entries()) {
    if (typeof one !== 'bigint') throw new TypeError(expected(`weights[${index}]`, 'a bigint', one));
    if (one <= 0n) throw new RangeError(expected(`weights[${index}]`, 'a positive integer', one));
    total += one;
  }
  if (total >= weightLimit) throw new RangeError(expected('weights', 'a sum under 2^63', total));
  return total;
}

/**
 * Returns the smallest weight that is at least `numerator` / `denominator` of `total`.
 *
 * @throws RangeError unless 0 < numerator <= denominator; TypeError for a value other than a bigint.
 */
export function minWeight(total: bigint, numerator: bigint, denominator: bigint): bigint {
  for (const [label, value] of Object.entries({ total, numerator, denominator }))
    if (typeof value !== 'bigint') throw new TypeError(expected(label, 'a bigint', value));
  if (numerator <= 0n || denominator < numerator)
    throw new RangeError(expected('share', 'a fraction greater than 0 and at most 1', `${numerator}/${denominator}`));
  return (total * numerator + denominator - 1n) / denominator;
}

/** A minimum weight of the signers, measured in one vector of stakes. */
export interface Requirement {
  readonly stakes: Stakes;
  /** Minimum weight, from 1 to the total weight of the stakes. */
  readonly min: bigint;
}

/**
 * Minimum weight of an output's signers, in one vector of stakes or in each of several vectors over the same members.
 * Weights are summed exactly.
 */
export class Quorum {
  readonly requirements: readonly Requirement[];
  /** Minimum score for each requirement: a lower score means that the weight cannot be sufficient. */
  readonly #minScores: readonly number[];

  /**
   * @throws RangeError if the list is empty, if a minimum is less than 1 or more than the total weight, or if the
   * stakes have different numbers of nodes; TypeError for a requirement of the wrong type.
   */
  constructor(requirements: readonly Requirement[]) {
    requireArray('requirements', requirements);
    if (requirements.length === 0) throw new RangeError('requirements: expected at least one requirement, got none');
    for (const [index, one] of requirements.entries()) {
      requireObject(`requirements[${index}]`, one);
      const { stakes, min } = one;
      requireObject(`requirements[${index}].stakes`, stakes);
      if (typeof min !== 'bigint') throw new TypeError(expected(`requirements[${index}].min`, 'a bigint', min));
      if (min <= 0n || min > stakes.total)
        throw new RangeError(expected(`requirements[${index}].min`, `1 to the total of ${stakes.total}`, min));
      if (stakes.nodes !== requirements[0]!.stakes.nodes)
        throw new RangeError(
          expected(`requirements[${index}].stakes`, `${requirements[0]!.stakes.nodes} nodes`, stakes.nodes),
        );
    }
    this.requirements = [...requirements];
    this.#minScores = requirements.map(({ stakes, min }) => stakes.scoreOf(min));
  }

  /**
   * Returns false only if signers with this score cannot meet the quorum. The check is cheaper than {@link isMet}. It
   * is sound because each signer's score is greater than the signer's scaled weight minus 1.
   *
   * @param stakes the stakes to which the score belongs, if any. Requirements in other stakes are not checked.
   */
  mayBeMet(stakes: Stakes | undefined, score: number, signers: number): boolean {
    return this.requirements.every((one, index) => one.stakes !== stakes || score + signers >= this.#minScores[index]!);
  }

  /** Returns whether the signers have enough weight: member m is bit m & 31 of word m >> 5. */
  isMet(words: Int32Array): boolean {
    return this.requirements.every(({ stakes, min }) => stakes.sum(words) >= min);
  }
}
