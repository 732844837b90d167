import { requireInt32Array } from '../arguments.ts';
import { expected } from '../errors.ts';
import { mix32, shuffle } from '../random.ts';
import { levelCount, Tree, type TreeForm } from './tree.ts';

/**
 * Verification priorities: the order in which a node verifies its peers' contributions, and therefore the order in
 * which senders contact their peers (v1.03 section 3.3). Both orders follow from public data: the registry's size and a
 * seed. A sender therefore knows its rank with each receiver without any message.
 */
export interface VerificationPriorities {
  /** Range of the ranks: integers in [0, span). A rank grows by `span` after a verification (v1.0 section 3.6). */
  readonly span: number;

  /**
   * Tree of the ranked peers, if the priorities are for a fixed tree. A node rejects priorities for a tree other than
   * the node's own tree.
   */
  readonly tree?: Pick<Tree, 'nodes' | 'form'> | undefined;

  /**
   * Returns VP_receiver(sender): the sender's rank with the receiver. Rank 0 has the highest priority for verification.
   * A receiver gives a different rank to each sender.
   */
  rank(receiver: number, sender: number): number;

  /**
   * Returns the number of places in the contribution prioritisation vector over a level's peer set: one per peer, and
   * possibly some empty places.
   */
  places(block: number): number;

  /**
   * Returns the peer at a place in the contribution prioritisation vector. The vector lists a level's peers, beginning
   * with the peer that gives `sender` the best rank.
   *
   * @param block level's peer set, as a block of the tree that contains at least one id.
   * @param place 0 to places(block) - 1.
   * @returns -1 for an empty place.
   */
  contact(sender: number, block: number, place: number): number;
}

/**
 * Verification priorities derived from one shared row: VP_i(j) = F[p(i) xor B[j]]. F and B are seeded shuffles of [0,
 * 2^L), and p(i) is the place of node i among the leaves of the tree. Every row (receiver) and every column (sender) is
 * a permutation, apart from the empty leaves.
 *
 * Combining every leaf of a subtree with a constant by exclusive or gives the leaves of another subtree. A
 * prioritisation vector is therefore a range of F in order of rank, and all nodes that need this range share it. Each
 * range is sorted once per subtree, and a place is read in one step. The class stores no separate vector for each
 * sender, and a query scans no list. The tables take about 4 L bytes per leaf.
 *
 * Intentional divergence: the rows are shifted copies of one another. In v1.03 section 3.3, the VP_i are independent
 * pseudo-random permutations of [0, N). According to v1.0 section 4.3, an attacker must not be able to fill the first
 * places of a row more often than with a random choice. Each single row has this property.
 * {@link IndependentPriorities} implements the paper exactly.
 */
export class ShiftedPriorities implements VerificationPriorities {
  readonly span: number;
  readonly tree: Tree;
  /** The shuffle F. */
  readonly #row: Int32Array;
  /** The shuffle B. */
  readonly #shift: Int32Array;
  /** For each order k, the positions in each aligned range of 2^k, sorted by their values in F. */
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
   * Returns log2 of the number of leaves that contain a block's ids, counted from the block's first leaf: all leaves,
   * or fewer leaves in the `packed` form.
   */
  #order(block: number): number {
    const tree = this.tree;
    return tree.form === 'packed' ? levelCount(tree.size(block)) : tree.order(block);
  }
}

/** Merges neighbouring sorted ranges of half the length. */
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

/**
 * Prioritisation vectors for priorities that are drawn per receiver. A vector is sorted when it is first requested, and
 * stored for the lifetime of this object. The vectors of one sender take 4 N bytes, and the vectors of all senders take
 * 4 N^2 bytes: 67 MB for 4,096 nodes.
 */
export class StoredVectors {
  readonly #tree: Tree;
  readonly #rank: (receiver: number, sender: number) => number;
  readonly #vectors = new Map<number, Int32Array>();

  /**
   * @param rank returns a number that is smaller for a receiver that the sender contacts earlier. Receivers with equal
   * numbers are ordered by id, so that all nodes agree on the order.
   */
  constructor(tree: Tree, rank: (receiver: number, sender: number) => number) {
    this.#tree = tree;
    this.#rank = rank;
  }

  /** Returns the peer at a place in the prioritisation vector for a block that contains at least one id. */
  contact(sender: number, block: number, place: number): number {
    const size = this.#tree.size(block);
    const start = this.#tree.start(block);
    if (size === 1) return start;
    const key = sender * 2 ** 21 + block;
    let vector = this.#vectors.get(key);
    if (vector === undefined) {
      const ranks = Float64Array.from({ length: size }, (_, index) => this.#rank(start + index, sender));
      vector = sortedByKey(ranks).map((index) => start + index);
      this.#vectors.set(key, vector);
    }
    return vector[place]!;
  }
}

/** Returns the indices of the keys, sorted by key. Indices with equal keys keep their order. */
export function sortedByKey(keys: Float64Array): Int32Array {
  return Int32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
}

/** Number of words in a long seed. */
const seedWords = 8;

/** Checks that a seed is a number or 8 words of 32 bits. @throws TypeError or RangeError for any other value. */
export function requireSeed(seed: number | Int32Array): void {
  if (typeof seed === 'number') return;
  requireInt32Array('seed', seed, 'a number or an Int32Array');
  if (seed.length !== seedWords) throw new RangeError(expected('seed', `${seedWords} words`, seed.length));
}

/**
 * Number of Feistel rounds, each with two words of the seed. Four rounds turn a pseudo-random function into a
 * pseudo-random permutation (Luby and Rackoff 1988).
 */
const rounds = 4;

/**
 * Verification priorities exactly as in v1.03 section 3.3. Each receiver's VP_i is an independent pseudo-random
 * permutation of [0, N) with the key (seed, i). The permutation is computed, not stored: a Feistel network over the
 * next even number of bits is applied until the result is less than N (Black and Rogaway 2002).
 *
 * Each prioritisation vector is created by a scan of the level's peers and then stored (`StoredVectors`). For
 * large networks, {@link ShiftedPriorities} is suitable.
 */
export class IndependentPriorities implements VerificationPriorities {
  readonly span: number;
  readonly tree: Tree;
  /** Seed for each round of the Feistel network, two words per round. */
  readonly #seed: Int32Array;
  readonly #halfBits: number;
  readonly #vectors: StoredVectors;

  /**
   * @param seed an integer, of which only the low 32 bits are used; or 8 words of 32 bits, all of which are used.
   * @throws RangeError for a seed of another length; TypeError for a seed of another type.
   */
  constructor(nodes: number, seed: number | Int32Array, form?: TreeForm) {
    this.span = nodes;
    this.tree = new Tree(nodes, form);
    requireSeed(seed);
    this.#seed =
      typeof seed === 'number'
        ? Int32Array.from({ length: seedWords }, (_, i) => (i % 2 === 0 ? mix32(seed) : 0))
        : seed.slice();
    this.#vectors = new StoredVectors(this.tree, (receiver, sender) => this.rank(receiver, sender));
    this.#halfBits = Math.max(1, Math.ceil(levelCount(nodes) / 2));
  }

  rank(receiver: number, sender: number): number {
    let value = sender;
    do value = this.#permute(receiver, value);
    while (value >= this.span);
    return value;
  }

  places(block: number): number {
    return this.tree.size(block);
  }

  contact(sender: number, block: number, place: number): number {
    return this.#vectors.contact(sender, block, place);
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
