import { type Contribution, noContribution } from '../../protocol.ts';
import { PeerFact } from './peers.ts';
import { List } from './pending.ts';
import { individualScore, inStakeWeight, isHeavier } from './score.ts';
import { type HandelState, rankOf } from './state.ts';

/**
 * Adds the contributions of a screened message to the level's list of unverified ones (v1.03 section 3.5.2). The list
 * has one entry per sender, with the sender's heaviest aggregate. A contribution that cannot improve In_l is not added
 * (section 3.5.3), except that a sender's individual contribution is never lost.
 *
 * @returns whether the message contains anything new to verify.
 */
export function receive(
  state: HandelState,
  from: number,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
): boolean {
  const { scheme, pending, peers } = state;
  // An aggregate whose only signer is the sender is the sender's individual contribution. The node verifies such a
  // contribution only once.
  const isIndividual = scheme.weight(aggregate) === 1 && scheme.contains(aggregate, from);
  const single = isIndividual ? aggregate : individual;
  const isNew = single !== noContribution && !peers.has(from, PeerFact.individualKnown);
  const isUseful = !isIndividual && state.rules.isUseful(state, level, aggregate);
  if (!isNew && !isUseful) return false;

  if (isNew) {
    scheme.retain(single);
    peers.add(from, PeerFact.individualKnown);
    if (!isUseful && individualScore(state, level, from) === inStakeWeight(state, level)) {
      pending.storeIndividual(level, List.dormant, from, single);
      return false;
    }
  }
  const rank = rankOf(state, from);
  const entry = state.off['bounded-queue'] ? pending.add(level, from, rank) : pending.queue(level, from, rank);
  if (isNew) pending.setIndividual(entry, single);
  if (isUseful) {
    const before = pending.aggregate(entry);
    if (before === noContribution || isHeavier(scheme, aggregate, before)) {
      scheme.release(before);
      scheme.retain(aggregate);
      pending.setAggregate(entry, aggregate);
    }
  }
  return true;
}
