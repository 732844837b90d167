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
 * The binary tree that nodes organise themselves in (v1.03 section 3.2, figures 1 and 2), for any number of nodes.
 *
 * A subtree is named by its *block*: its number in heap order, where the root is 1, the children of b are 2b and 2b+1, and
 * the leaf of node i is 2^L + i. So every question about levels is a shift or a bit: node i's own subtree below level l is
 * leaf >> (l-1), and the sibling of that, its level l peer set, differs in the last bit.
 *
 * When N is not a power of two the last subtrees are short or empty.
 */
export class Tree {
  readonly nodes: number;
  /** L. */
  readonly levels: number;
  /** The block of node 0's leaf, 2^L: leaves are leafBase + id. */
  readonly leafBase: number;

  /** @param nodes N, 1 to 2^20. */
  constructor(nodes: number) {
    requireInteger('nodes', nodes, 1, 2 ** 20);
    this.nodes = nodes;
    this.levels = levelCount(nodes);
    this.leafBase = 1 << this.levels;
  }

  /** The subtree of node i below level l, whose contributions are Out_l: 2^(l-1) ids, i among them. */
  ownBlock(id: number, level: number): number {
    return (this.leafBase + id) >>> (level - 1);
  }

  /** The level l peer set of node i: the sibling of its own subtree below level l. */
  peerBlock(id: number, level: number): number {
    return ((this.leafBase + id) >>> (level - 1)) ^ 1;
  }

  /** log2 of the number of ids that a block would have in a full tree. */
  order(block: number): number {
    return this.levels - (31 - Math.clz32(block));
  }

  /** The first id of a block; may be N or more, when the block is empty. */
  start(block: number): number {
    return (block << this.order(block)) - this.leafBase;
  }

  /** How many ids a block has: 2^order, fewer at the end of the tree, 0 beyond it. */
  size(block: number): number {
    const order = this.order(block);
    const left = this.nodes - ((block << order) - this.leafBase);
    return left <= 0 ? 0 : Math.min(1 << order, left);
  }

  /** Is `id` one of the ids of `block`? False for ids out of range. */
  contains(block: number, id: number): boolean {
    return id >= 0 && id < this.nodes && (this.leafBase + id) >>> this.order(block) === block;
  }
}

/**
 * The level l peer set of a node (v1.03 section 3.2): the ids that share a prefix of exactly L - l bits with it. Empty sets, which
 * occur when N is not a power of two, have start = end.
 */
export function peerSet(id: number, level: number, nodes: number): PeerSet {
  requireInteger('nodes', nodes, 1, 2 ** 20);
  requireInteger('id', id, 0, nodes - 1);
  const tree = new Tree(nodes);
  requireInteger('level', level, 0, tree.levels);
  if (level === 0) return { start: id, end: id + 1 };
  const block = tree.peerBlock(id, level);
  const start = Math.min(tree.start(block), nodes);
  return { start, end: start + tree.size(block) };
}
