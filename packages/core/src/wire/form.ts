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
  /** Signer that the message names; 0 in forms without a signer. */
  readonly signer: number;
}

/** Format of a protocol's messages. No message names the block of a set; the receiver derives the block. */
export interface MessageForm {
  /**
   * Length of the field after the header that names the signer of an individual contribution, bytes; 0 if there is no
   * such field.
   */
  readonly signerBytes: number;
  /** Returns the largest number of ids that the set of an aggregate can list. */
  largestSet(tree: Tree): number;
  /** Returns the block of a message's aggregate, or the code with which the receiver rejects the head. */
  aggregateBlock(tree: Tree, receiver: number, head: MessageHead): number | WireRefusal;
}

/** Form of messages between peers of a level: those of Handel and San Fermín. */
export const levelMessages: MessageForm = {
  signerBytes: 0,
  // In both tree forms, the first peer set of the highest level is the largest. A tree of one node is a single set.
  largestSet: (tree) => tree.size(1 << (tree.height - tree.levelOrder(tree.levels))),
  aggregateBlock: (tree, receiver, { from, level, flags }) =>
    headRefusal(tree, receiver, from, level, flags) ?? tree.peerBlock(receiver, level),
};
