import { headRefusal } from '../overlay/headRefusal.ts';
import type { Tree } from '../overlay/tree.ts';
import type { WireRefusal } from '../refusals.ts';

/** What a receiver knows of a message before it reads a contribution. `from` is the channel's word, the rest a peer's. */
export interface MessageHead {
  readonly from: number;
  readonly level: number;
  readonly flags: number;
  /** The signer that the message names; 0 in forms that name none. */
  readonly signer: number;
}

/** How the messages of a protocol travel. No message names a set's block: its receiver derives the block. */
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
  // The first of the highest peer sets is as large as any, in either tree form; who is alone is the whole.
  largestSet: (tree) => tree.size(1 << (tree.height - tree.levelOrder(tree.levels))),
  aggregateBlock: (tree, receiver, { from, level, flags }) =>
    headRefusal(tree, receiver, from, level, flags) ?? tree.peerBlock(receiver, level),
};
