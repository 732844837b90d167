import type { AggregationScheme } from '../contribution/scheme.ts';
import type { Contribution } from '../protocol.ts';
import type { HandelState } from './state.ts';

/*
 * Which contribution is heavier: what the paper's w(c) decides (v1.03 sections 3.3, 3.5.2 and 3.5.3). Where members do
 * not all weigh the same it is the score of the signers' stakes. Whether a contribution is complete, or holds one signer
 * alone, stays a matter of their number (section 3.4).
 */

/** What a contribution's signers weigh, in scores; their number where all weigh the same. */
export function heftOf(scheme: AggregationScheme, contribution: Contribution): number {
  return scheme.stakes === undefined ? scheme.weight(contribution) : scheme.stake!(contribution);
}

/** What an aggregatable contribution adds to another. */
export function addedHeft(scheme: AggregationScheme, contribution: Contribution, over: Contribution): number {
  return scheme.newWeight?.(contribution, over) ?? heftOf(scheme, contribution);
}

/** What one signer weighs. */
export function heftOfSigner({ stakes }: AggregationScheme, signer: number): number {
  return stakes === undefined ? 1 : stakes.score(signer);
}

/** What In_l weighs. */
export function inHeft({ scheme, levels }: HandelState, level: number): number {
  return scheme.stakes === undefined ? levels.inWeight(level) : scheme.stake!(levels.in(level));
}

/** What all peers of a level weigh. */
export function levelHeft({ id, scheme, levels }: HandelState, level: number): number {
  return scheme.stakes === undefined ? levels.size(level) : scheme.stakes.blockScore(scheme.tree.peerBlock(id, level));
}

/** What the final aggregate weighs. */
export function totalHeft(state: HandelState): number {
  const { id, scheme, levels } = state;
  if (scheme.stakes === undefined) return levels.totalWeight();
  let heft = scheme.stakes.score(id);
  for (let level = 1; level <= levels.count; level++) heft += inHeft(state, level);
  return heft;
}

/** Whether `a` is heavier than `b`; of what weighs the same, the one with more signers is. */
export function isHeavier(scheme: AggregationScheme, a: Contribution, b: Contribution): boolean {
  const more = heftOf(scheme, a) - heftOf(scheme, b);
  return more > 0 || (more === 0 && scheme.weight(a) > scheme.weight(b));
}
