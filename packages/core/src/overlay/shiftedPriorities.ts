import { RangeOrder } from './rangeOrder.ts';
import { invert, shuffle } from './shuffle.ts';
import type { VerificationPriorities } from './verificationPriority.ts';

/**
 * Verification priorities from one shared row: VP_i(j) = F[(i + B[j]) mod N] with seeded shuffles F and B. Every row (receiver) and
 * every column (sender) is a permutation, and a sender's view of a level is a stretch of F, so nothing is stored per node and nothing is
 * scanned: a place of a prioritisation vector costs O(log N).
 *
 * Intentional divergence: the rows are shifts of one another, where the paper's VP_i (v1.03 section 3.3) are independent pseudo-random
 * permutations. What v1.0 section 4.3 asks of them, that an attacker's chance to fill the first places of a row is as for a random
 * choice, still holds for each row by itself; see {@link IndependentPriorities} for the letter of the text.
 */
export class ShiftedPriorities implements VerificationPriorities {
  readonly #nodes: number;
  /** F, twice in a row, so that a stretch that wraps round is one stretch. */
  readonly #row: Int32Array;
  readonly #positionOf: Int32Array;
  readonly #offset: Int32Array;
  readonly #order: RangeOrder;

  constructor(nodes: number, seed: number) {
    this.#nodes = nodes;
    const row = shuffle(nodes, seed, 'verification priority: row');
    this.#row = new Int32Array(2 * nodes);
    this.#row.set(row, 0);
    this.#row.set(row, nodes);
    this.#positionOf = invert(row);
    this.#offset = shuffle(nodes, seed, 'verification priority: offset');
    this.#order = new RangeOrder(this.#row, nodes);
  }

  rank(receiver: number, sender: number): number {
    return this.#row[receiver + this.#offset[sender]!]!;
  }

  contact(sender: number, start: number, end: number, place: number): number {
    const offset = this.#offset[sender]!;
    const rank = this.#order.kthSmallest(start + offset, end + offset, place);
    const receiver = this.#positionOf[rank]! - offset;
    return receiver < 0 ? receiver + this.#nodes : receiver;
  }
}
