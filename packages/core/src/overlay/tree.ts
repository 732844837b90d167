import { expected, requireInteger } from '../errors.ts';

/** Ids in [start, end). */
export interface PeerSet {
  readonly start: number;
  readonly end: number;
}

/** How many children a subtree has: 2 in the paper; v1.03 section 6 asks what others would do. */
export const branchings = [2, 4, 8] as const;
export type Branching = (typeof branchings)[number];

/**
 * The number of levels above level 0: ceil(log2 N) in the binary tree (v1.03 section 3.2), k - 1 a tier with k
 * children, fewer on the top tier where it has fewer.
 */
export function levelCount(nodes: number, branching: Branching = 2): number {
  const height = heightOf(nodes);
  const bits = Math.log2(branching);
  const tiers = Math.floor(height / bits);
  return tiers * (branching - 1) + (1 << (height - tiers * bits)) - 1;
}

/** ceil(log2 N), the height of the leaves' tree. */
function heightOf(nodes: number): number {
  return nodes <= 1 ? 0 : 32 - Math.clz32(nodes - 1);
}

/**
 * Where a tree of N nodes has its 2^L - N empty leaves: `spread` evenly among the others, or all at the end (`packed`).
 */
export const treeForms = ['spread', 'packed'] as const;
export type TreeForm = (typeof treeForms)[number];

/**
 * The tree that nodes organise themselves in (v1.03 section 3.2, figures 1 and 2), for any number of nodes.
 *
 * A subtree is named by its *block*: its number in the heap order of a binary tree of height h, where the root is 1,
 * the children of b are 2b and 2b+1, and the leaves are 2^h to 2^(h+1) - 1. So every question about levels is answered
 * by a shift or a bit: in the binary tree node i's own subtree below level l is leaf(i) >> (l-1), and the sibling of
 * that, its level l peer set, differs in the last bit.
 *
 * With a branching factor of k = 2^b, which v1.03 section 6 leaves open, b heights of the binary tree are one *tier*. A
 * subtree has k - 1 siblings there, and each is the peer set of a level of its own: which level, is given by the
 * exclusive or of the two subtrees' numbers among the k, so that two nodes have each other on the same level. The
 * levels of a tier share Out and start together. The top tier has fewer children where b does not divide h.
 *
 * When N is not a power of two some leaves are empty. The default form gives node i the leaf floor(i 2^h / N), so that
 * the subtrees of one height differ by one node at most, and nobody has more than its share of peers to serve.
 * Intentional divergence, where v1.03 section 3.2 is read as prefixes of ids: the form `packed` gives node i the leaf
 * i, as the Go reference does, and leaves the last subtrees short or empty. See docs/concepts/tree.md.
 */
export class Tree {
  readonly nodes: number;
  /** L, the number of levels. */
  readonly levels: number;
  /** h, log2 of the number of leaves; the same as L in the binary tree. */
  readonly height: number;
  /** The block of the first leaf, 2^h. */
  readonly leafBase: number;
  readonly form: TreeForm;
  readonly branching: Branching;
  /**
   * Nodes a leaf: N / 2^h where they are spread, 1 where they are packed. Products with a leaf's place have at most 40
   * bits.
   */
  readonly #density: number;
  /** Of the leaves, and of those between two ids: where there are none, places need no division. */
  readonly #empty: number;
  readonly #emptyBetween: number;
  /** Per level up to L + 1, the root's: the order of a node's own subtree below it, and of its peer set. */
  readonly #orders: Uint8Array;
  /** Per level: the exclusive or of a node's own subtree and its peer set. */
  readonly #siblings: Uint8Array;
  /**
   * Per level up to L + 1: its tier's first and last level. Level 0 and level L + 1 are tiers of their own. Looked up,
   * since every message and period asks.
   */
  readonly #firstOfTier: Uint8Array;
  readonly #lastOfTier: Uint8Array;

  /**
   * @param nodes N, 1 to 2^20.
   * @throws RangeError for a size or a branching factor out of range, or a form that there is not.
   */
  constructor(nodes: number, form: TreeForm = 'spread', branching: Branching = 2) {
    requireInteger('nodes', nodes, 1, 2 ** 20);
    if (!treeForms.includes(form)) throw new RangeError(expected('form', treeForms.join(' or '), form));
    if (!branchings.includes(branching))
      throw new RangeError(expected('branching', branchings.join(' or '), branching));
    this.nodes = nodes;
    this.levels = levelCount(nodes, branching);
    this.height = heightOf(nodes);
    this.leafBase = 1 << this.height;
    this.form = form;
    this.branching = branching;
    this.#density = form === 'spread' ? nodes / this.leafBase : 1;
    this.#empty = this.leafBase - nodes;
    this.#emptyBetween = form === 'spread' ? this.#empty : 0;
    this.#orders = new Uint8Array(this.levels + 2).fill(this.height);
    this.#siblings = new Uint8Array(this.levels + 2);
    this.#firstOfTier = new Uint8Array(this.levels + 2).fill(this.levels + 1);
    this.#lastOfTier = new Uint8Array(this.levels + 2).fill(this.levels + 1);
    this.#firstOfTier[0] = 0;
    this.#lastOfTier[0] = 0;
    for (let level = 1; level <= this.levels; level++) {
      const tier = this.tier(level);
      this.#orders[level] = tier * Math.log2(branching);
      this.#siblings[level] = 1 + ((level - 1) % (branching - 1));
      this.#firstOfTier[level] = tier * (branching - 1) + 1;
      this.#lastOfTier[level] = Math.min(this.levels, (tier + 1) * (branching - 1));
    }
  }

  /** Which tier a level is of, 0 for the lowest: the levels of a tier start together, tier after tier. */
  tier(level: number): number {
    return Math.floor((level - 1) / (this.branching - 1));
  }

  /**
   * The first level of a level's tier: the levels of a tier share one Out, which holds all levels below it. For L + 1,
   * the root's, it is L + 1.
   */
  firstOfTier(level: number): number {
    return this.#firstOfTier[level]!;
  }

  /** The last level of a level's tier. */
  lastOfTier(level: number): number {
    return this.#lastOfTier[level]!;
  }

  /** log2 of the number of leaves of a level's peer set, and of a node's own side. */
  levelOrder(level: number): number {
    return this.#orders[level]!;
  }

  /** The level on which two nodes have each other; 0 for a node itself. */
  levelBetween(id: number, other: number): number {
    const apart = this.leaf(id) ^ this.leaf(other);
    if (apart === 0) return 0;
    const bits = Math.log2(this.branching);
    const tier = Math.floor((31 - Math.clz32(apart)) / bits);
    return tier * (this.branching - 1) + (apart >>> (tier * bits));
  }

  /** The leaf of node i, the block that has its id alone. */
  leaf(id: number): number {
    return this.leafBase + (this.#emptyBetween === 0 ? id : Math.floor(id / this.#density));
  }

  /** The id of a leaf; -1 for an empty one. */
  idOf(leaf: number): number {
    if (this.#empty === 0) return leaf - this.leafBase;
    return this.size(leaf) === 0 ? -1 : this.start(leaf);
  }

  /** The subtree of node i below level l, whose contributions are Out_l: i is among its ids. */
  ownBlock(id: number, level: number): number {
    return this.leaf(id) >>> this.#orders[level]!;
  }

  /** The level l peer set of node i: a sibling of its own subtree below level l. */
  peerBlock(id: number, level: number): number {
    return (this.leaf(id) >>> this.#orders[level]!) ^ this.#siblings[level]!;
  }

  /** The height of a block: log2 of the number of its leaves. */
  order(block: number): number {
    return this.height - (31 - Math.clz32(block));
  }

  /** The first id of a block; where the block is empty, the first after it, which may be N. */
  start(block: number): number {
    return this.#idsBefore((block << this.order(block)) - this.leafBase);
  }

  /** How many ids a block has: at most 2^order, 0 where it is empty. */
  size(block: number): number {
    const order = this.order(block);
    return this.#empty === 0 ? 1 << order : this.#idsOn((block << order) - this.leafBase, 1 << order);
  }

  /** Is `id` one of the ids of `block`? False for ids out of range. */
  contains(block: number, id: number): boolean {
    return id >= 0 && id < this.nodes && this.leaf(id) >>> this.order(block) === block;
  }

  /** How many ids lie on so many leaves from a place on. */
  #idsOn(place: number, leaves: number): number {
    if (this.#emptyBetween === 0) return Math.max(0, Math.min(leaves, this.nodes - place));
    return this.#idsBefore(place + leaves) - this.#idsBefore(place);
  }

  /** How many ids lie on the leaves before a place. */
  #idsBefore(place: number): number {
    return Math.min(this.nodes, this.#emptyBetween === 0 ? place : Math.ceil(place * this.#density));
  }
}

/**
 * The level l peer set of a node (v1.03 section 3.2): in the binary tree the ids whose leaves share a prefix of exactly
 * L - l bits with its own. Empty sets, which occur when N is not a power of two, have start = end.
 */
export function peerSet(
  id: number,
  level: number,
  nodes: number,
  form: TreeForm = 'spread',
  branching: Branching = 2,
): PeerSet {
  requireInteger('nodes', nodes, 1, 2 ** 20);
  requireInteger('id', id, 0, nodes - 1);
  const tree = new Tree(nodes, form, branching);
  requireInteger('level', level, 0, tree.levels);
  if (level === 0) return { start: id, end: id + 1 };
  const block = tree.peerBlock(id, level);
  const start = tree.start(block);
  return { start, end: start + tree.size(block) };
}

/** @throws TypeError unless `tree` is one. */
export function requireTree(label: string, tree: unknown): void {
  if (!(tree instanceof Tree)) throw new TypeError(expected(label, 'a Tree', tree));
}
