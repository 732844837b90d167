import { type Contribution, noContribution } from '../protocol.ts';
import { List } from './pending.ts';
import type { HandelState } from './state.ts';

/**
 * The score of an aggregate contribution of a level: the weight that In_l would have with it (v1.03 section 3.3). If it
 * is aggregatable with In_l, that is the weight of both together; otherwise the weight of the contribution united with
 * the verified individual contributions that it lacks.
 */
export function aggregateScore(state: HandelState, level: number, contribution: Contribution): number {
  const { scheme, levels, pending } = state;
  const weight = scheme.weight(contribution);
  const both = weight + levels.inWeight(level);
  // Heavier together than all peers of the level, they have some of them in common.
  if (both <= levels.size(level) && scheme.disjoint(contribution, levels.in(level))) return both;
  let score = weight;
  const verified = pending.run(level, List.verified);
  for (let place = pending.countOf(verified) - 1; place >= 0; place--) {
    if (!scheme.contains(contribution, pending.senderIn(verified, place))) score++;
  }
  return score;
}

/** Whether In_l would be heavier with an aggregate contribution. */
export function isUseful(state: HandelState, level: number, contribution: Contribution): boolean {
  const inWeight = state.levels.inWeight(level);
  return state.scheme.weight(contribution) > inWeight || aggregateScore(state, level, contribution) > inWeight;
}

/** The score of an individual contribution: it adds one to In_l, or nothing where In_l already contains it. */
export function individualScore(state: HandelState, level: number, sender: number): number {
  const { scheme, levels } = state;
  return levels.inWeight(level) + (scheme.contains(levels.in(level), sender) ? 0 : 1);
}

/** The score of a queued entry, the better one of its two contributions. */
export function entryScore(state: HandelState, level: number, entry: number): number {
  const { pending } = state;
  const aggregate = pending.aggregate(entry);
  const ofAggregate = aggregate === noContribution ? 0 : aggregateScore(state, level, aggregate);
  if (pending.individual(entry) === noContribution) return ofAggregate;
  return Math.max(ofAggregate, individualScore(state, level, pending.sender(entry)));
}
