import { type Contribution, noContribution } from '../protocol.ts';
import { PeerFact } from './peers.ts';
import { List } from './pending.ts';
import { aggregateScore, individualScore, isUseful } from './score.ts';
import { type HandelState, rankOf } from './state.ts';

/**
 * Takes a screened message's contributions into the level's list of unverified ones (v1.03 section 3.5.2): one entry
 * per sender, the better aggregate kept. What could not improve In_l is not taken in at all (section 3.5.3), except
 * that a sender's individual contribution is never lost.
 *
 * @returns whether there is something new to verify.
 */
export function receive(
  state: HandelState,
  from: number,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
): boolean {
  const { scheme, levels, pending, peers } = state;
  // An aggregate that contains only the sender is its individual contribution, and is verified once.
  const alone = scheme.weight(aggregate) === 1 && scheme.contains(aggregate, from);
  const theIndividual = alone ? aggregate : individual;
  const takeIndividual = theIndividual !== noContribution && !peers.has(from, PeerFact.individualKnown);
  const takeAggregate = !alone && isUseful(state, level, aggregate);
  if (!takeIndividual && !takeAggregate) return false;

  if (takeIndividual) {
    scheme.retain(theIndividual);
    peers.add(from, PeerFact.individualKnown);
    if (!takeAggregate && individualScore(state, level, from) === levels.inWeight(level)) {
      pending.keep(level, List.dormant, from, theIndividual);
      return false;
    }
  }
  const rank = rankOf(state, from);
  const entry = state.off['bounded-queue'] ? pending.add(level, from, rank) : pending.queue(level, from, rank);
  if (takeIndividual) pending.setIndividual(entry, theIndividual);
  if (takeAggregate) {
    const kept = pending.aggregate(entry);
    if (kept === noContribution || isBetter(state, level, aggregate, kept)) {
      scheme.release(kept);
      scheme.retain(aggregate);
      pending.setAggregate(entry, aggregate);
    }
  }
  return true;
}

/**
 * Whether one aggregate of a sender replaces another: if In_l would be heavier with it, or as heavy and it is itself
 * the heavier one.
 *
 * Intentional divergence: section 3.5.2 keeps the heavier one, which may have become useless and then blocks a lighter,
 * useful one.
 */
function isBetter(state: HandelState, level: number, aggregate: Contribution, kept: Contribution): boolean {
  const heavier = state.scheme.weight(aggregate) - state.scheme.weight(kept);
  if (state.off['better-offer']) return heavier > 0;
  return (aggregateScore(state, level, aggregate) - aggregateScore(state, level, kept) || heavier) > 0;
}
