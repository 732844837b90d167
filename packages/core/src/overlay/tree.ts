import { expected, requireInteger } from '../errors.ts';
import { sizeClass } from '../slab.ts';

/** A range of ids, [start, end). */
export interface PeerSet {
  readonly start: number;
  readonly end: number;
}

/**
 * Branching factors: the numbers of children that a subtree may have. The paper uses a branching factor of 2; v1.03
 * section 6 suggests other values.
 */
export const branchings = [2, 4, 8] as const;
/** One of the {@link branchings}. */
export type Branching = (typeof branchings)[number];

/**
 * Returns the number of levels above level 0: ceil(log2 N) in the binary tree (v1.03 section 3.2). In other trees, a
 * tier with k children has k - 1 levels, and the top tier may have fewer.
 */
export function levelCount(nodes: number, branching: Branching = 2): number {
  const height = sizeClass(nodes);
  const bits = Math.log2(branching);
  const tiers = Math.floor(height / bits);
  return tiers * (branching - 1) + (1 << (height - tiers * bits)) - 1;
}

/**
 * Placement of the 2^h - N empty leaves in a tree of height h with N nodes: spread evenly among the other leaves
 * (`spread`) or all at the end (`packed`).
 */
export const treeForms = ['spread', 'packed'] as const;
/** One of the {@link treeForms}. */
export type TreeForm = (typeof treeForms)[number];

/**
 * The tree that organises the nodes (v1.03 section 3.2, figures 1 and 2), for any number of nodes.
 *
 * A subtree is identified by its *block*: its number in the heap order of a binary tree of height h. The root is block
 * 1, the children of block b are 2b and 2b+1, and the leaves are 2^h to 2^(h+1) - 1. With this numbering, questions
 * about levels need only a shift or a bit test. In the binary tree, node i's own subtree below level l is leaf(i) >>
 * (l-1). Node i's level l peer set is the sibling of node i's own subtree, and the two blocks differ in the last bit.
 *
 * The branching factor k = 2^b may exceed 2; v1.03 section 6 leaves this open. In such a tree, b heights of the binary
 * tree form one *tier*. In a tier, a subtree has k - 1 siblings, and each sibling is the peer set of a separate level.
 * The exclusive or of the two subtrees' numbers among the k children determines the level, so two nodes are peers on
 * the same level. The levels of a tier share Out and start together. The top tier has fewer children if b does not
 * divide h.
 *
 * If N is not a power of two, some leaves are empty. The default form assigns leaf floor(i 2^h / N) to node i. Subtrees
 * of the same height then differ by at most one node, and all nodes serve about the same number of peers.
 *
 * Intentional divergence, if v1.03 section 3.2 is read as prefixes of ids: the form `packed` assigns leaf i to node i,
 * as the Go reference does. In the form `packed`, the last subtrees are short or empty. See docs/concepts/tree.md.
 */
export class Tree {
  readonly nodes: number;
  /** Number of levels, L. */
  readonly levels: number;
  /** Height h of the tree, log2 of the number of leaves. In the binary tree, the height equals L. */
  readonly height: number;
  /** Block of the first leaf, 2^h. */
  readonly leafBase: number;
  readonly form: TreeForm;
  readonly branching: Branching;
  /**
   * Nodes per leaf: N / 2^h for `spread`, 1 for `packed`. The product of this number and a leaf's place has at most 40
   * bits.
   */
  readonly #density: number;
  /** Number of empty leaves. */
  readonly #empty: number;
  /**
   * Number of empty leaves among the nodes: all of them for `spread`, and 0 for `packed`. If the number is 0, computing
   * a place needs no division.
   */
  readonly #emptyBetween: number;
  /**
   * Order of a node's own subtree below each level, which is also the order of the level's peer set, for levels up to L
   * + 1 (the root's level). Entry 0 is the height of the tree.
   */
  readonly #orders: Uint8Array;
  /** Exclusive or of a node's own subtree and its peer set, per level. */
  readonly #siblings: Uint8Array;
  /**
   * First level of each level's tier, up to level L + 1. Level 0 and level L + 1 each form a tier of their own. The
   * levels of tiers are precomputed, because they are read for every message and period.
   */
  readonly #firstOfTier: Uint8Array;
  /** Last level of each level's tier. */
  readonly #lastOfTier: Uint8Array;

  /**
   * @param nodes N, 1 to 2^20.
   * @throws RangeError for a size or a branching factor out of range, or an unknown form.
   */
  constructor(nodes: number, form: TreeForm = 'spread', branching: Branching = 2) {
    requireInteger('nodes', nodes, 1, 2 ** 20);
    if (!treeForms.includes(form)) throw new RangeError(expected('form', treeForms.join(' or '), form));
    if (!branchings.includes(branching))
      throw new RangeError(expected('branching', branchings.join(' or '), branching));
    this.nodes = nodes;
    this.levels = levelCount(nodes, branching);
    this.height = sizeClass(nodes);
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

  /**
   * Returns the tier of a level from 1 to L; the lowest tier is 0. The levels of a tier start together, and the tiers
   * start one after the other.
   */
  tier(level: number): number {
    return Math.floor((level - 1) / (this.branching - 1));
  }

  /**
   * Returns the first level of a level's tier. The levels of a tier share one Out, which contains all levels below the
   * tier. For L + 1, the root's level, the result is L + 1.
   */
  firstOfTier(level: number): number {
    return this.#firstOfTier[level]!;
  }

  /** Returns the last level of a level's tier. */
  lastOfTier(level: number): number {
    return this.#lastOfTier[level]!;
  }

  /**
   * Returns log2 of the number of leaves in a level's peer set; a node's own subtree below the level has the same
   * number of leaves.
   */
  levelOrder(level: number): number {
    return this.#orders[level]!;
  }

  /** Returns the level on which two nodes are peers, or 0 for the same node. */
  levelBetween(id: number, other: number): number {
    const apart = this.leaf(id) ^ this.leaf(other);
    if (apart === 0) return 0;
    const bits = Math.log2(this.branching);
    const tier = Math.floor((31 - Math.clz32(apart)) / bits);
    return tier * (this.branching - 1) + (apart >>> (tier * bits));
  }

  /** Returns the leaf of node i, the block whose only id is i. */
  leaf(id: number): number {
    return this.leafBase + (this.#emptyBetween === 0 ? id : Math.floor(id / this.#density));
  }

  /** Returns the id of a leaf, or -1 for an empty leaf. */
  idOf(leaf: number): number {
    if (this.#empty === 0) return leaf - this.leafBase;
    return this.size(leaf) === 0 ? -1 : this.start(leaf);
  }

  /** Returns node i's own subtree below level l, whose contributions form Out_l. This subtree includes i. */
  ownBlock(id: number, level: number): number {
    return this.leaf(id) >>> this.#orders[level]!;
  }

  /** Returns the level l peer set of node i: a sibling of node i's own subtree below level l. */
  peerBlock(id: number, level: number): number {
    return (this.leaf(id) >>> this.#orders[level]!) ^ this.#siblings[level]!;
  }

  /** Returns the height of a block: log2 of its number of leaves. */
  order(block: number): number {
    return this.height - (31 - Math.clz32(block));
  }

  /** Returns the first id of a block. For an empty block, it is the first id after the block, which may be N. */
  start(block: number): number {
    return this.#idsBefore((block << this.order(block)) - this.leafBase);
  }

  /** Returns the number of ids in a block: at most 2^order, and 0 for an empty block. */
  size(block: number): number {
    const order = this.order(block);
    return this.#empty === 0 ? 1 << order : this.#idsOn((block << order) - this.leafBase, 1 << order);
  }

  /** Returns whether `id` is in `block`. The result is false for ids out of range. */
  contains(block: number, id: number): boolean {
    return id >= 0 && id < this.nodes && this.leaf(id) >>> this.order(block) === block;
  }

  /** Returns the number of ids on `leaves` consecutive leaves, beginning at a place. */
  #idsOn(place: number, leaves: number): number {
    if (this.#emptyBetween === 0) return Math.max(0, Math.min(leaves, this.nodes - place));
    return this.#idsBefore(place + leaves) - this.#idsBefore(place);
  }

  /** Returns the number of ids on the leaves before a place. */
  #idsBefore(place: number): number {
    return Math.min(this.nodes, this.#emptyBetween === 0 ? place : Math.ceil(place * this.#density));
  }
}

/**
 * Returns the level l peer set of a node (v1.03 section 3.2). In the binary tree, this set consists of the ids whose
 * leaves share a prefix of exactly L - l bits with the node's leaf. The set may be empty if N is not a power of two; in
 * this case, start = end. The set of level 0 is the node itself.
 *
 * @throws RangeError for an argument out of range.
 */
export function peerSet(
  id: number,
  level: number,
  nodes: number,
  form: TreeForm = 'spread',
  branching: Branching = 2,
): PeerSet {
  const tree = new Tree(nodes, form, branching);
  requireInteger('id', id, 0, nodes - 1);
  requireInteger('level', level, 0, tree.levels);
  if (level === 0) return { start: id, end: id + 1 };
  const block = tree.peerBlock(id, level);
  const start = tree.start(block);
  return { start, end: start + tree.size(block) };
}

/** @throws TypeError if `tree` is not a tree. */
export function requireTree(label: string, tree: unknown): void {
  if (!(tree instanceof Tree)) throw new TypeError(expected(label, 'a Tree', tree));
}
