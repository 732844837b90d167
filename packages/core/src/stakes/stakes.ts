import { expected, requireArray, requireObject } from '../errors.ts';
import { requireTree, type Tree } from '../overlay/tree.ts';

/** Weights are positive and sum to less than this, so that a sum of them fits 64 bits with a sign. */
export const weightLimit = 2n ** 63n;

/** What the rounded stakes of all members sum to at most: two of them still fit an integer of 32 bits. */
const maxScore = 2 ** 30;

const lowBits = 32n;
const lowMask = 2n ** lowBits - 1n;

/**
 * What each member weighs, by its position in the tree. Two numbers stand for a weight: the exact one, by which a
 * threshold is met or not; and its *score*, rounded to an integer of which all together are at most 2^30, by which
 * contributions are compared. Where all weigh the same, a score is a count of members.
 *
 * The paper's w counts contributions, and needs only to compare them (v1.03 section 2.1).
 */
export class Stakes {
  readonly nodes: number;
  /** Of all members together. */
  readonly total: bigint;
  /** Whether all weigh the same. */
  readonly areEqual: boolean;
  readonly #weights: readonly bigint[];
  /** Each weight in two parts of which doubles hold exact sums: what is over 32 bits, and what is not. */
  readonly #high: Float64Array;
  readonly #low: Float64Array;
  /** By block of the tree. */
  readonly #scores: Int32Array;
  readonly #tree: Tree;

  /**
   * @param weights by position: positive, together less than 2^63.
   * @throws RangeError for another number of weights than nodes, for one that is not positive, and for a sum too large.
   */
  constructor(tree: Tree, weights: readonly bigint[]) {
    requireTree('tree', tree);
    const total = sumOfWeights(weights);
    if (weights.length !== tree.nodes)
      throw new RangeError(expected('weights', `one for each of ${tree.nodes} nodes`, weights.length));
    this.nodes = tree.nodes;
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

  /** What a member weighs. */
  weight(id: number): bigint {
    return this.#weights[id]!;
  }

  /** A member's score, at least 1. */
  score(id: number): number {
    return this.#scores[this.#tree.leaf(id)]!;
  }

  /** The score of all members of a block together. */
  blockScore(block: number): number {
    return this.#scores[block]!;
  }

  /** A weight scaled as scores are, rounded down; 0 for less than a score's unit. */
  scoreOf(weight: bigint): number {
    if (this.areEqual) return Number(weight / this.#weights[0]!);
    return Number((weight * BigInt(maxScore - this.nodes)) / this.total);
  }

  /** What the members of a set weigh together, exactly: bit b of word b >> 5 is the member b. */
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

  /** The score of a set. */
  scoreOfSet(words: Int32Array, start: number): number {
    let score = 0;
    for (let index = 0; index < words.length; index++) {
      for (let word = words[index]!; word !== 0; word &= word - 1)
        score += this.score(start + index * 32 + (31 - Math.clz32(word & -word)));
    }
    return score;
  }
}

/** @throws RangeError for one that is not positive, and for a sum too large; TypeError for no list of BigInts. */
export function sumOfWeights(weights: readonly bigint[]): bigint {
  requireArray('weights', weights);
  let total = 0n;
  for (const [index, one] of weights.entries()) {
    if (typeof one !== 'bigint') throw new TypeError(expected(`weights[${index}]`, 'a BigInt', one));
    if (one <= 0n) throw new RangeError(expected(`weights[${index}]`, 'a positive integer', one));
    total += one;
  }
  if (total >= weightLimit) throw new RangeError(expected('weights', 'a sum under 2^63', total));
  return total;
}

/**
 * The least weight that is `numerator` / `denominator` of `total`: exactly that share is enough.
 *
 * @throws RangeError unless 0 < numerator <= denominator.
 */
export function minWeight(total: bigint, numerator: bigint, denominator: bigint): bigint {
  for (const [label, value] of Object.entries({ total, numerator, denominator }))
    if (typeof value !== 'bigint') throw new TypeError(expected(label, 'a bigint', value));
  if (numerator <= 0n || denominator < numerator)
    throw new RangeError(expected('share', 'a fraction over 0 and up to 1', `${numerator}/${denominator}`));
  return (total * numerator + denominator - 1n) / denominator;
}

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
  readonly #minScores: readonly number[];

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
    this.#minScores = requirements.map(({ stakes, least }) => stakes.scoreOf(least));
  }

  /**
   * False where signers with this score cannot meet the quorum, which costs less to see than {@link isMet}: each
   * signer's score is less than 1 under its scaled weight.
   *
   * @param stakes those that the score is of, if any.
   */
  mayBeMet(stakes: Stakes | undefined, score: number, signers: number): boolean {
    return this.requirements.every((one, index) => one.stakes !== stakes || score + signers >= this.#minScores[index]!);
  }

  /** Whether the signers weigh enough: bit b of word b >> 5 is the member at position b. */
  isMet(words: Int32Array): boolean {
    return this.requirements.every(({ stakes, least }) => stakes.sum(words) >= least);
  }
}
