import type { AggregationScheme } from '../../contribution/scheme.ts';
import { type Contribution, noContribution } from '../../protocol.ts';
import { List } from './pending.ts';
import type { HandelState } from './state.ts';

/**
 * Returns the score of an aggregate contribution on a level: the weight that In_l would have after adding the
 * contribution (v1.03 section 3.3). If it is aggregatable with In_l, the score is In_l's weight plus the added weight.
 * Otherwise the score is the weight of the union of the contribution and the verified individual contributions that it
 * lacks.
 */
export function aggregateScore(state: HandelState, level: number, contribution: Contribution): number {
  const { scheme, pending } = state;
  if (isAggregatable(state, level, contribution)) {
    return inStakeWeight(state, level) + addedStakeWeight(scheme, contribution, state.levels.in(level));
  }
  let score = stakeWeightOf(scheme, contribution);
  const verified = pending.run(level, List.verified);
  for (let place = pending.countOf(verified) - 1; place >= 0; place--) {
    const sender = pending.senderIn(verified, place);
    if (!scheme.contains(contribution, sender)) score += stakeWeightOfSigner(scheme, sender);
  }
  return score;
}

/**
 * Returns whether the score of an aggregate contribution exceeds the weight of In_l. The function stops adding weights
 * once the answer is known.
 */
export function isUseful(state: HandelState, level: number, contribution: Contribution): boolean {
  const { scheme, pending } = state;
  let missing = inStakeWeight(state, level) + 1 - stakeWeightOf(scheme, contribution);
  if (missing <= 0) return true;
  if (isAggregatable(state, level, contribution)) {
    return addedStakeWeight(scheme, contribution, state.levels.in(level)) > 0;
  }
  const verified = pending.run(level, List.verified);
  const isCount = scheme.stakes === undefined;
  for (let left = pending.countOf(verified); missing > 0 && left > 0 && (!isCount || missing <= left); left--) {
    const sender = pending.senderIn(verified, left - 1);
    if (!scheme.contains(contribution, sender)) missing -= stakeWeightOfSigner(scheme, sender);
  }
  return missing <= 0;
}

function isAggregatable({ scheme, levels }: HandelState, level: number, contribution: Contribution): boolean {
  // If the contribution and In_l together have more signers than the level has peers, they overlap.
  const overlap = scheme.weight(contribution) + levels.inWeight(level) > levels.size(level);
  if (overlap && scheme.newWeight === undefined) return false;
  return scheme.aggregatable(contribution, levels.in(level));
}

/**
 * Returns the score of an individual contribution: In_l's weight plus the signer's weight, or In_l's weight alone if
 * In_l already contains the contribution.
 */
export function individualScore(state: HandelState, level: number, sender: number): number {
  const { scheme, levels } = state;
  return (
    inStakeWeight(state, level) + (scheme.contains(levels.in(level), sender) ? 0 : stakeWeightOfSigner(scheme, sender))
  );
}

/** Returns the score of a queued entry: that of the better of its two contributions. */
export function entryScore(state: HandelState, level: number, entry: number): number {
  const { pending } = state;
  const aggregate = pending.aggregate(entry);
  const ofAggregate = aggregate === noContribution ? 0 : state.rules.score(state, level, aggregate);
  if (pending.individual(entry) === noContribution) return ofAggregate;
  return Math.max(ofAggregate, individualScore(state, level, pending.sender(entry)));
}

/*
 * Weights of contributions that replace the paper's w(c) (v1.03 sections 3.3, 3.5.2 and 3.5.3). If the members' weights
 * differ, the weight is the score of the signers' stakes. The number of signers, not their weight, still determines
 * whether a contribution is complete and whether it has only one signer (section 3.4).
 */

/**
 * Returns the weight of a contribution's signers as a score, or the number of signers if all members have the same
 * weight.
 */
export function stakeWeightOf(scheme: AggregationScheme, contribution: Contribution): number {
  return scheme.stakes === undefined ? scheme.weight(contribution) : scheme.stake!(contribution);
}

/** Returns the weight that an aggregatable contribution adds to another one. */
function addedStakeWeight(scheme: AggregationScheme, contribution: Contribution, over: Contribution): number {
  return scheme.newWeight?.(contribution, over) ?? stakeWeightOf(scheme, contribution);
}

/** Returns the weight of one signer. */
export function stakeWeightOfSigner({ stakes }: AggregationScheme, signer: number): number {
  return stakes === undefined ? 1 : stakes.score(signer);
}

/** Returns the weight of In_l. */
export function inStakeWeight({ scheme, levels }: HandelState, level: number): number {
  return scheme.stakes === undefined ? levels.inWeight(level) : scheme.stake!(levels.in(level));
}

/** Returns the weight of all peers of a level. */
export function levelStakeWeight({ id, scheme, levels }: HandelState, level: number): number {
  return scheme.stakes === undefined ? levels.size(level) : scheme.stakes.blockScore(scheme.tree.peerBlock(id, level));
}

/** Returns the weight of the final aggregate. */
export function totalStakeWeight(state: HandelState): number {
  const { id, scheme, levels } = state;
  if (scheme.stakes === undefined) return levels.totalWeight();
  let stakeWeight = scheme.stakes.score(id);
  for (let level = 1; level <= levels.count; level++) stakeWeight += inStakeWeight(state, level);
  return stakeWeight;
}

/**
 * Returns whether `a` is heavier than `b`. If both contributions have the same weight, the one with more signers is
 * heavier.
 */
export function isHeavier(scheme: AggregationScheme, a: Contribution, b: Contribution): boolean {
  const more = stakeWeightOf(scheme, a) - stakeWeightOf(scheme, b);
  return more > 0 || (more === 0 && scheme.weight(a) > scheme.weight(b));
}
