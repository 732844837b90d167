import { expected } from '../errors.ts';
import type { Tree } from '../overlay/tree.ts';
import {
  requireSeed,
  StoredVectors,
  sortedByKey,
  type VerificationPriorities,
} from '../overlay/verificationPriority.ts';
import { mix32 } from '../random.ts';
import type { Stakes } from './stakes.ts';

/**
 * Verification priorities drawn by weight. Receiver i ranks the senders as if it drew them one after another, each with
 * a probability in proportion to its weight among the remaining senders. A member with a given share of the weight
 * therefore gets about the same share of the first places, regardless of its number of ids. With a uniform draw over
 * the ids, a thousand members of almost no weight would fill every window.
 *
 * Every sender gets the key e / w, where w is its weight and e an exponential variate. The sender with the smallest key
 * is drawn first (Efraimidis and Spirakis 2006). A sender's weight is the same with all receivers, so it first contacts
 * the receiver for which it drew the smallest e. All operations are exact or rounded according to IEEE 754, so every
 * machine draws the same order.
 *
 * Intentional divergence: v1.03 section 3.3 has no weights and draws senders uniformly.
 *
 * The first request for a receiver's ranks sorts all members. The ranks of one receiver are stored in 4 N bytes, in
 * addition to the `StoredVectors` of the senders.
 */
export class WeightedPriorities implements VerificationPriorities {
  readonly span: number;
  readonly tree: Tree;
  readonly #weights: Float64Array;
  readonly #seed: Int32Array;
  /** Ranks of all senders, for each receiver. */
  readonly #ranks = new Map<number, Int32Array>();
  readonly #vectors: StoredVectors;

  /**
   * @param seed an integer, of which only the low 32 bits are used, or 8 words of 32 bits.
   * @throws RangeError for stakes with another number of nodes or a seed of another length; TypeError for a seed of
   * another type.
   */
  constructor(tree: Tree, stakes: Stakes, seed: number | Int32Array) {
    requireSeed(seed);
    if (stakes.nodes !== tree.nodes) throw new RangeError(expected('stakes', `${tree.nodes} nodes`, stakes.nodes));
    this.span = tree.nodes;
    this.tree = tree;
    this.#weights = Float64Array.from({ length: tree.nodes }, (_, id) => Number(stakes.weight(id)));
    this.#seed = typeof seed === 'number' ? Int32Array.of(seed) : seed.slice();
    this.#vectors = new StoredVectors(tree, (receiver, sender) => this.#exponential(receiver, sender));
  }

  rank(receiver: number, sender: number): number {
    let ranks = this.#ranks.get(receiver);
    if (ranks === undefined) {
      ranks = this.#rowOf(receiver);
      this.#ranks.set(receiver, ranks);
    }
    return ranks[sender]!;
  }

  places(block: number): number {
    return this.tree.size(block);
  }

  contact(sender: number, block: number, place: number): number {
    return this.#vectors.contact(sender, block, place);
  }

  #rowOf(receiver: number): Int32Array {
    const keys = this.#weights.map((weight, sender) => this.#exponential(receiver, sender) / weight);
    const ranks = new Int32Array(this.span);
    for (const [rank, sender] of sortedByKey(keys).entries()) ranks[sender] = rank;
    return ranks;
  }

  /**
   * Draws an exponential variate using only comparisons (von Neumann 1951). The algorithm draws decreasing runs of
   * uniform numbers. The first number of the first run with an odd length is the fraction of the variate. Each earlier
   * run, with an even length, adds one to the variate.
   */
  #exponential(receiver: number, sender: number): number {
    let state = mix32(receiver ^ 0x5bd1e995);
    for (const word of this.#seed) state = mix32(state ^ word);
    state = mix32(state ^ mix32(sender + 0x3c6ef372));
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0;
      return (mix32(mix32(state) ^ sender) >>> 0) + 0.5;
    };
    for (let whole = 0; ; whole++) {
      const first = next();
      let last = first;
      let length = 1;
      for (let following = next(); following < last; following = next()) {
        last = following;
        length++;
      }
      if (length % 2 === 1) return whole + first / 2 ** 32;
    }
  }
}
