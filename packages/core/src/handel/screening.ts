import type { AggregationScheme } from '../contribution/scheme.ts';
import { headRefusal } from '../overlay/headRefusal.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';

/**
 * Returns the reason why no honest peer sends such a message, or undefined if an honest peer may send it. This check
 * precedes any storage, because input from a peer is untrusted until it is checked. The contributions are still
 * unverified afterwards.
 *
 * @param receiver the node that checks. All arguments after `from` are the peer's claims.
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
  // The sender is one of the level's peers, so its leaf determines their block.
  const leaf = tree.leaf(from);
  if (scheme.block(aggregate) !== leaf >>> tree.levelOrder(level)) return 'wrong-span';
  if (individual !== noContribution && scheme.block(individual) !== leaf) return 'not-individual';
  return undefined;
}
