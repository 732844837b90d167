import { type Contribution, knownFlags, NONE, Refusal } from '../protocol.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/**
 * Whether a message is what an honest peer could have sent, before anything is kept of it: what a peer sends is hostile until checked.
 * Contributions are still unverified afterwards.
 *
 * @returns a {@link Refusal} code, or 0 for a message to take in.
 */
export function screen(
  state: HandelState,
  from: number,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: number,
): Refusal | 0 {
  const { scheme, levels } = state;
  const { tree } = scheme;
  if (!(from >= 0 && from < tree.nodes)) return Refusal.senderOutOfRange;
  if (!(level >= 1 && level <= levels.count)) return Refusal.levelOutOfRange;
  if (levels.size(level) === 0) return Refusal.levelEmpty;
  const block = tree.peerBlock(state.id, level);
  const leaf = tree.leaf(from);
  if (leaf >>> tree.levelOrder(level) !== block) return Refusal.senderNotInPeerSet;
  if ((flags & ~knownFlags) !== 0) return Refusal.unsupportedFlags;
  if (aggregate === NONE || scheme.weight(aggregate) === 0) return Refusal.emptyContribution;
  if (scheme.block(aggregate) !== block) return Refusal.wrongSpan;
  if (individual !== NONE && scheme.block(individual) !== leaf) return Refusal.notIndividual;
  if (state.peers.has(from, PeerFact.blacklisted)) return Refusal.blacklisted;
  return 0;
}
