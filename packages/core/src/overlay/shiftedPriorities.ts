import { shuffle } from './shuffle.ts';
import { levelCount, Tree, type TreeForm } from './tree.ts';
import type { VerificationPriorities } from './verificationPriority.ts';

/**
 * Verification priorities from one shared row: VP_i(j) = F[p(i) xor B[j]], with seeded shuffles F and B of [0, 2^L) and
 * p(i) the place of node i among the leaves of the tree. Every row (receiver) and every column (sender) is a
 * permutation, up to the leaves that are empty.
 *
 * The leaves of a subtree, each xor a constant, are the leaves of another subtree. So a prioritisation vector is a
 * stretch of F in order of rank, shared by all nodes that need it: sorted once per subtree, looked up in one step.
 * Nothing is stored per node and nothing is scanned; the table takes 4 L bytes per node.
 *
 * Intentional divergence: the rows are shifts of one another, where the paper's VP_i (v1.03 section 3.3) are
 * independent pseudo-random permutations of [0, N). v1.0 section 4.3 asks that an attacker's chance of filling the
 * first places of a row be that of a random choice; this holds for each row by itself. {@link IndependentPriorities}
 * does exactly what the paper says.
 */
export class ShiftedPriorities implements VerificationPriorities {
  readonly span: number;
  readonly tree: Tree;
  /** F. */
  readonly #row: Int32Array;
  /** B. */
  readonly #shift: Int32Array;
  /** Per order k: the positions of each aligned stretch of 2^k, in order of their F. */
  readonly #sorted: readonly Int32Array[];

  constructor(nodes: number, seed: number, form?: TreeForm) {
    this.tree = new Tree(nodes, form);
    const { height, leafBase } = this.tree;
    this.span = leafBase;
    this.#row = shuffle(this.span, seed, 'verification priority: row');
    this.#shift = shuffle(this.span, seed, 'verification priority: shift');
    const sorted = [Int32Array.from(this.#row, (_, position) => position)];
    for (let order = 1; order < height; order++) sorted.push(merged(sorted[order - 1]!, 1 << order, this.#row));
    this.#sorted = sorted;
  }

  rank(receiver: number, sender: number): number {
    const tree = this.tree;
    return this.#row[(tree.leaf(receiver) - tree.leafBase) ^ this.#shift[sender]!]!;
  }

  places(block: number): number {
    return 1 << this.#order(block);
  }

  contact(sender: number, block: number, place: number): number {
    const tree = this.tree;
    const order = this.#order(block);
    const shift = this.#shift[sender]!;
    const first = (block << tree.order(block)) - tree.leafBase;
    const stretch = ((first ^ shift) >>> order) << order;
    const leaf = tree.leafBase + (this.#sorted[order]![stretch + place]! ^ shift);
    return tree.idOf(leaf);
  }

  /**
   * log2 of the number of leaves that a block's ids lie on, from its first leaf on: all of it, or less where ids are
   * packed.
   */
  #order(block: number): number {
    const tree = this.tree;
    return tree.form === 'packed' ? levelCount(tree.size(block)) : tree.order(block);
  }
}

/** Merges neighbouring sorted stretches of half the length. */
function merged(halves: Int32Array, length: number, row: Int32Array): Int32Array<ArrayBuffer> {
  const whole = new Int32Array(halves.length);
  for (let start = 0; start < halves.length; start += length) {
    let left = start;
    let right = start + length / 2;
    const [leftEnd, rightEnd] = [right, start + length];
    for (let at = start; at < rightEnd; at++) {
      const takeLeft = right === rightEnd || (left < leftEnd && row[halves[left]!]! < row[halves[right]!]!);
      whole[at] = takeLeft ? halves[left++]! : halves[right++]!;
    }
  }
  return whole;
}
