import type { Tree } from '../overlay/tree.ts';
import { type Contribution, knownFlags, noContribution } from '../protocol.ts';
import type { ScreeningRefusal, WireRefusal } from '../refusals.ts';
import type { AggregationScheme } from './scheme.ts';

/**
 * Returns the reason why no honest peer sends such a message, or undefined if an honest peer may send it. This check
 * precedes any storage, because a peer's input is untrusted until it is checked. This check does not verify the
 * contributions.
 *
 * @param receiver id of the node that checks the message.
 * @param from id of the peer, from the authenticated channel. All arguments after `from` are claims of the peer.
 */
export function screen(
  scheme: AggregationScheme,
  receiver: number,
  from: number,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: number,
): ScreeningRefusal | undefined {
  const { tree } = scheme;
  if (!(from >= 0 && from < tree.nodes)) return 'sender-out-of-range';
  const refusal = headRefusal(tree, receiver, from, level, flags);
  if (refusal !== undefined) return refusal;
  if (aggregate === noContribution || scheme.weight(aggregate) === 0) return 'empty-set';
  // The sender is one of the level's peers, so the sender's leaf determines the peers' block.
  const leaf = tree.leaf(from);
  if (scheme.block(aggregate) !== leaf >>> tree.levelOrder(level)) return 'wrong-span';
  if (individual !== noContribution && scheme.block(individual) !== leaf) return 'not-individual';
  return undefined;
}

/**
 * Returns the reason why no honest peer sends the receiver a message with this head (level, sender and flags), or
 * undefined if an honest peer may send such a message. A decoder calls this function before it reads the rest of the
 * message. A node calls this function again, because not every runtime decodes bytes.
 *
 * @param level the level that the peer claims. The channel authenticates `from`.
 */
export function headRefusal(
  tree: Tree,
  receiver: number,
  from: number,
  level: number,
  flags: number,
): (ScreeningRefusal & WireRefusal) | undefined {
  if (!(level >= 1 && level <= tree.levels)) return 'level-out-of-range';
  if ((flags & ~knownFlags) !== 0) return 'unknown-flags';
  const block = tree.peerBlock(receiver, level);
  if (from >= 0 && from < tree.nodes && tree.leaf(from) >>> tree.levelOrder(level) === block) return undefined;
  return tree.size(block) === 0 ? 'level-empty' : 'sender-not-in-peer-set';
}

/**
 * Returns the reason why a baseline rejects a message before it checks the level and the contributions: the sender does
 * not exist, the message has an unknown flag, or the aggregate is empty.
 *
 * @param allowedFlags the flags that the protocol defines.
 * @returns undefined for an acceptable message.
 */
export function screenForm(
  scheme: AggregationScheme,
  from: number,
  aggregate: Contribution,
  flags: number,
  allowedFlags: number,
): ScreeningRefusal | undefined {
  if (!(from >= 0 && from < scheme.tree.nodes)) return 'sender-out-of-range';
  if ((flags & ~allowedFlags) !== 0) return 'unknown-flags';
  if (aggregate === noContribution || scheme.weight(aggregate) === 0) return 'empty-set';
  return undefined;
}
