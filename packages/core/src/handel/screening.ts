import { type Contribution, knownFlags, noContribution } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/**
 * Whether a message is what an honest peer could have sent, before anything is kept of it: what a peer sends is hostile
 * until checked. Contributions are still unverified afterwards.
 *
 * @returns undefined for a message to take in.
 */
export function screen(
  state: HandelState,
  from: number,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: number,
): ScreeningRefusal | undefined {
  const { scheme, levels } = state;
  const { tree } = scheme;
  if (!(from >= 0 && from < tree.nodes)) return 'sender-out-of-range';
  if (!(level >= 1 && level <= levels.count)) return 'level-out-of-range';
  if (levels.size(level) === 0) return 'level-empty';
  const block = tree.peerBlock(state.id, level);
  const leaf = tree.leaf(from);
  if (leaf >>> tree.levelOrder(level) !== block) return 'sender-not-in-peer-set';
  if ((flags & ~knownFlags) !== 0) return 'unknown-flags';
  if (aggregate === noContribution || scheme.weight(aggregate) === 0) return 'empty-set';
  if (scheme.block(aggregate) !== block) return 'wrong-span';
  if (individual !== noContribution && scheme.block(individual) !== leaf) return 'not-individual';
  if (state.peers.has(from, PeerFact.blacklisted)) return 'blacklisted';
  return undefined;
}
