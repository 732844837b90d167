import type { Tree } from '../overlay/tree.ts';
import { knownFlags } from '../protocol.ts';
import type { WireRefusal } from '../refusals.ts';
import type { MessageForm, MessageHead } from '../wire/message.ts';
import { signerIdBytes } from './gossipOfIndividuals.ts';
import { wholeRegistry } from './union.ts';

/** Form of messages in the complete graph: each message carries the sender's individual contribution. */
export const individualMessages: MessageForm = {
  signerBytes: 0,
  largestSet: () => 1,
  aggregateBlock: (tree, receiver, head) => refusalWithoutLevels(tree, receiver, head) ?? tree.leaf(head.from),
};

/**
 * Form of messages that gossip individual contributions: each message names a signer and carries that signer's
 * contribution.
 */
export const relayedMessages: MessageForm = {
  signerBytes: signerIdBytes,
  largestSet: () => 1,
  aggregateBlock(tree, receiver, head) {
    const refusal = refusalWithoutLevels(tree, receiver, head);
    if (refusal !== undefined) return refusal;
    return head.signer < tree.nodes ? tree.leaf(head.signer) : 'bit-beyond-end';
  },
};

/** Form of messages that gossip aggregates: each message carries a set over all nodes. */
export const wholeMessages: MessageForm = {
  signerBytes: 0,
  largestSet: (tree) => tree.nodes,
  aggregateBlock: (tree, receiver, head) => refusalWithoutLevels(tree, receiver, head) ?? wholeRegistry,
};

/**
 * Returns the reason to reject a message of a protocol without levels, or undefined if the message is acceptable. The
 * level of such a message must be 0.
 */
function refusalWithoutLevels(tree: Tree, receiver: number, head: MessageHead): WireRefusal | undefined {
  if (head.level !== 0) return 'level-out-of-range';
  if ((head.flags & ~knownFlags) !== 0) return 'unknown-flags';
  return head.from === receiver || !(head.from >= 0 && head.from < tree.nodes) ? 'sender-not-in-peer-set' : undefined;
}
