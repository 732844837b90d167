import { headRefusal } from '../overlay/headRefusal.ts';
import type { Tree } from '../overlay/tree.ts';
import type { WireRefusal } from '../refusals.ts';

/**
 * Head of a message: the fields that a receiver reads before a contribution. The channel authenticates `from`. The
 * sender claims the other fields, so the receiver checks them.
 */
export interface MessageHead {
  readonly from: number;
  readonly level: number;
  readonly flags: number;
  /** The signer that the message names; 0 in forms that name none. */
  readonly signer: number;
}

/** Format of a protocol's messages. No message names the block of a set; the receiver derives it. */
export interface MessageForm {
  /** Bytes behind the header in which a message names the signer of an individual contribution. */
  readonly signerBytes: number;
  /** Returns the largest number of ids that an aggregate of a message can list. */
  largestSet(tree: Tree): number;
  /** Returns the block of a message's aggregate, or the code under which the receiver refuses the head. */
  aggregateBlock(tree: Tree, receiver: number, head: MessageHead): number | WireRefusal;
}

/** Messages between peers of a level: those of Handel and San Fermín. */
export const levelMessages: MessageForm = {
  signerBytes: 0,
  // In both tree forms, the first peer set of the highest level is the largest. A tree of one node is one set.
  largestSet: (tree) => tree.size(1 << (tree.height - tree.levelOrder(tree.levels))),
  aggregateBlock: (tree, receiver, { from, level, flags }) =>
    headRefusal(tree, receiver, from, level, flags) ?? tree.peerBlock(receiver, level),
};
