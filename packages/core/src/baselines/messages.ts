import type { Tree } from '../overlay/tree.ts';
import { knownFlags } from '../protocol.ts';
import type { WireRefusal } from '../refusals.ts';
import type { MessageForm, MessageHead } from '../wire/form.ts';
import { signerIdBytes } from './gossipOfIndividuals.ts';
import { wholeRegistry } from './outputs.ts';

/** Messages of the complete graph: the sender's individual contribution. */
export const individualMessages: MessageForm = {
  signerBytes: 0,
  largestSet: () => 1,
  aggregateBlock: (tree, receiver, head) => refusalWithoutLevels(tree, receiver, head) ?? tree.leaf(head.from),
};

/** Messages of gossip of individual contributions: any node's, which the message names. */
export const relayedMessages: MessageForm = {
  signerBytes: signerIdBytes,
  largestSet: () => 1,
  aggregateBlock(tree, receiver, head) {
    const refusal = refusalWithoutLevels(tree, receiver, head);
    if (refusal !== undefined) return refusal;
    return head.signer < tree.nodes ? tree.leaf(head.signer) : 'bit-beyond-end';
  },
};

/** Messages of gossip of aggregates: sets over all nodes. */
export const wholeMessages: MessageForm = {
  signerBytes: 0,
  largestSet: (tree) => tree.nodes,
  aggregateBlock: (tree, receiver, head) => refusalWithoutLevels(tree, receiver, head) ?? wholeRegistry,
};

/** All messages of a protocol without levels are on level 0. */
function refusalWithoutLevels(tree: Tree, receiver: number, head: MessageHead): WireRefusal | undefined {
  if (head.level !== 0) return 'level-out-of-range';
  if ((head.flags & ~knownFlags) !== 0) return 'unknown-flags';
  return head.from === receiver || !(head.from >= 0 && head.from < tree.nodes) ? 'sender-not-in-peer-set' : undefined;
}
