import { headRefusal } from '../overlay/headRefusal.ts';
import { type Contribution, noContribution } from '../protocol.ts';
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
  const { id, scheme } = state;
  const { tree } = scheme;
  if (!(from >= 0 && from < tree.nodes)) return 'sender-out-of-range';
  const refusal = headRefusal(tree, id, from, level, flags);
  if (refusal !== undefined) return refusal;
  if (aggregate === noContribution || scheme.weight(aggregate) === 0) return 'empty-set';
  // The sender being one of the level's peers, its leaf tells their block.
  const leaf = tree.leaf(from);
  if (scheme.block(aggregate) !== leaf >>> tree.levelOrder(level)) return 'wrong-span';
  if (individual !== noContribution && scheme.block(individual) !== leaf) return 'not-individual';
  if (state.peers.has(from, PeerFact.blacklisted)) return 'blacklisted';
  return undefined;
}
