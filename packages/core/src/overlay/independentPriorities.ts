import { expected, requireInt32Array } from '../errors.ts';
import { mix32 } from '../random.ts';
import { levelCount, Tree, type TreeForm } from './tree.ts';
import type { VerificationPriorities } from './verificationPriority.ts';

/** Feistel rounds; four make a pseudo-random permutation from a pseudo-random function (Luby and Rackoff 1988). */
const rounds = 4;

/**
 * Verification priorities exactly as in v1.03 section 3.3: VP_i, each receiver's own, is a pseudo-random permutation of
 * [0, N) keyed by (seed, i). It is computed, not stored: a Feistel network over the next even number of bits, applied
 * until the result is under N (Black and Rogaway 2002).
 *
 * A prioritisation vector takes a scan of its level, kept for as long as the sender works on it. So this form costs
 * O(N) per node and is for thousands of nodes; `ShiftedPriorities` is for more.
 */
export class IndependentPriorities implements VerificationPriorities {
  readonly span: number;
  readonly #nodes: number;
  readonly tree: Tree;
  /** Two words of the seed for each round of the network. */
  readonly #seed: Int32Array;
  readonly #halfBits: number;
  readonly #vectors = new Map<number, Int32Array>();

  /** @param seed an integer, of which the low 32 bits count; or 8 words of 32 bits, which all count. */
  constructor(nodes: number, seed: number | Int32Array, form?: TreeForm) {
    this.span = nodes;
    this.#nodes = nodes;
    this.tree = new Tree(nodes, form);
    if (typeof seed !== 'number') {
      requireInt32Array('seed', seed, 'a number or an Int32Array');
      if (seed.length !== 2 * rounds) throw new RangeError(expected('seed', `${2 * rounds} words`, seed.length));
    }
    this.#seed =
      typeof seed === 'number'
        ? Int32Array.from({ length: 2 * rounds }, (_, i) => (i % 2 === 0 ? mix32(seed) : 0))
        : seed;
    this.#halfBits = Math.max(1, Math.ceil(levelCount(nodes) / 2));
  }

  rank(receiver: number, sender: number): number {
    let value = sender;
    do value = this.#permute(receiver, value);
    while (value >= this.#nodes);
    return value;
  }

  places(block: number): number {
    return this.tree.size(block);
  }

  contact(sender: number, block: number, place: number): number {
    const size = this.tree.size(block);
    const start = this.tree.start(block);
    if (size === 1) return start;
    const key = sender * 2 ** 21 + block;
    let vector = this.#vectors.get(key);
    if (vector === undefined) {
      const ranked = Array.from({ length: size }, (_, index) => ({
        peer: start + index,
        rank: this.rank(start + index, sender),
      }));
      // Different receivers may give the sender the same rank; they stay in the order of their ids, so that all agree.
      ranked.sort((a, b) => a.rank - b.rank);
      vector = Int32Array.from(ranked, ({ peer }) => peer);
      this.#vectors.set(key, vector);
    }
    return vector[place]!;
  }

  #permute(key: number, value: number): number {
    const mask = (1 << this.#halfBits) - 1;
    let left = value >>> this.#halfBits;
    let right = value & mask;
    for (let round = 0; round < rounds; round++) {
      const roundKey = mix32(this.#seed[2 * round]! + Math.imul(key, rounds) + round) ^ this.#seed[2 * round + 1]!;
      const mixed = mix32(roundKey ^ right) & mask;
      [left, right] = [right, left ^ mixed];
    }
    return (left << this.#halfBits) | right;
  }
}
