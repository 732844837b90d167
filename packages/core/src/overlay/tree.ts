import { requireInteger } from '../errors.ts';

/** Ids in [start, end). */
export interface PeerSet {
  readonly start: number;
  readonly end: number;
}

/** L = ceil(log2 N), the number of levels above level 0 (v1.03 section 3.2). */
export function levelCount(nodes: number): number {
  return nodes <= 1 ? 0 : 32 - Math.clz32(nodes - 1);
}

/**
 * Where a tree of N nodes keeps its 2^L - N empty leaves: `spread` evenly among the others, or all `packed` together at the end.
 */
export const treeForms = ['spread', 'packed'] as const;
export type TreeForm = (typeof treeForms)[number];

/**
 * The binary tree that nodes organise themselves in (v1.03 section 3.2, figures 1 and 2), for any number of nodes.
 *
 * A subtree is named by its *block*: its number in heap order, where the root is 1, the children of b are 2b and 2b+1, and
 * the leaves are 2^L to 2^(L+1) - 1. So every question about levels is a shift or a bit: node i's own subtree below level l is
 * leaf(i) >> (l-1), and the sibling of that, its level l peer set, differs in the last bit.
 *
 * When N is not a power of two some leaves are empty. The default form gives node i the leaf floor(i 2^L / N), so that the subtrees of one
 * height differ by one node at most, and nobody has more than its share of peers to serve. Intentional divergence, where v1.03 section 3.2 is
 * read as prefixes of ids: the form `packed` gives node i the leaf i, as the Go reference does, and leaves the last subtrees short or empty.
 * See docs/tree.md.
 */
export class Tree {
  readonly nodes: number;
  /** L. */
  readonly levels: number;
  /** The block of the first leaf, 2^L. */
  readonly leafBase: number;
  readonly form: TreeForm;
  /** Nodes a leaf: N / 2^L where they are spread, 1 where they are packed. Products with a leaf's place have at most 40 bits. */
  readonly #density: number;

  /** @param nodes N, 1 to 2^20. */
  constructor(nodes: number, form: TreeForm = 'spread') {
    requireInteger('nodes', nodes, 1, 2 ** 20);
    this.nodes = nodes;
    this.levels = levelCount(nodes);
    this.leafBase = 1 << this.levels;
    this.form = form;
    this.#density = form === 'spread' ? nodes / this.leafBase : 1;
  }

  /** The leaf of node i, the block that has its id alone. */
  leaf(id: number): number {
    return this.leafBase + Math.floor(id / this.#density);
  }

  /** The subtree of node i below level l, whose contributions are Out_l: i is among its ids. */
  ownBlock(id: number, level: number): number {
    return this.leaf(id) >>> (level - 1);
  }

  /** The level l peer set of node i: the sibling of its own subtree below level l. */
  peerBlock(id: number, level: number): number {
    return (this.leaf(id) >>> (level - 1)) ^ 1;
  }

  /** How many levels a block spans: log2 of the number of its leaves. */
  order(block: number): number {
    return this.levels - (31 - Math.clz32(block));
  }

  /** The first id of a block; where the block is empty, the first after it, which may be N. */
  start(block: number): number {
    return this.#idsBefore((block << this.order(block)) - this.leafBase);
  }

  /** How many ids a block has: at most 2^order, 0 where it is empty. */
  size(block: number): number {
    const order = this.order(block);
    const place = (block << order) - this.leafBase;
    return this.#idsBefore(place + (1 << order)) - this.#idsBefore(place);
  }

  /** Is `id` one of the ids of `block`? False for ids out of range. */
  contains(block: number, id: number): boolean {
    return id >= 0 && id < this.nodes && this.leaf(id) >>> this.order(block) === block;
  }

  /** How many ids lie on the first so many leaves. */
  #idsBefore(place: number): number {
    return Math.min(this.nodes, Math.ceil(place * this.#density));
  }
}

/**
 * The level l peer set of a node (v1.03 section 3.2): the ids whose leaves share a prefix of exactly L - l bits with its own. Empty sets, which
 * occur when N is not a power of two, have start = end.
 */
export function peerSet(id: number, level: number, nodes: number, form: TreeForm = 'spread'): PeerSet {
  requireInteger('nodes', nodes, 1, 2 ** 20);
  requireInteger('id', id, 0, nodes - 1);
  const tree = new Tree(nodes, form);
  requireInteger('level', level, 0, tree.levels);
  if (level === 0) return { start: id, end: id + 1 };
  const block = tree.peerBlock(id, level);
  const start = tree.start(block);
  return { start, end: start + tree.size(block) };
}
