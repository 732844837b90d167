import { type Contribution, MessageFlag, noContribution, type Port } from '../../protocol.ts';
import { outOf } from './aggregation.ts';
import { PeerFact } from './peers.ts';
import { List } from './pending.ts';
import { individualScore, inStakeWeight, isHeavier } from './score.ts';
import { type HandelState, rankOf } from './state.ts';

/**
 * Sends Out_l to the next `count` listening peers in the order of the prioritisation vector (v1.03 sections 3.3 and
 * 3.5.1), at most once per peer.
 */
export function contactNext(state: HandelState, port: Port, level: number, count: number): void {
  const { id, scheme, levels, priorities } = state;
  const peers = scheme.tree.peerBlock(id, level);
  const places = priorities.places(peers);
  const silenced = levels.silencedCount(level);
  let left = Math.min(count, levels.size(level) - silenced);
  if (left === 0) return;
  const out = outOf(state, level);
  const individual = individualToSend(state, out);
  const flags = receivedFlag(state, level);
  while (left > 0) {
    const peer = priorities.contact(id, peers, levels.takePlace(level, places));
    if (peer < 0 || (silenced > 0 && isSilenced(state, level, peer))) continue;
    port.send(peer, level, out, individual, flags);
    left--;
  }
}

/**
 * Answers a peer with Out_l: either the peer does not know that In_l is complete, or the level is quiet and the peer
 * lacks contributions. The peer does not reply to an answer.
 *
 * Intentional divergence: in v1.03 section 3.5.1 only periods and the fast path trigger messages.
 */
export function answer(state: HandelState, port: Port, level: number, peer: number): void {
  if (state.off.answers) return;
  const out = outOf(state, level);
  const flags = receivedFlag(state, level) | MessageFlag.answer;
  port.send(peer, level, out, individualToSend(state, out), flags);
}

/**
 * Returns the individual contribution to send with an aggregate (v1.03 section 3.5), or no contribution if the
 * aggregate is the individual contribution itself.
 */
export function individualToSend({ scheme, own, off }: HandelState, out: Contribution): Contribution {
  return scheme.weight(out) === 1 || off['individual-contributions'] ? noContribution : own;
}

function receivedFlag({ levels, off }: HandelState, level: number): number {
  return levels.inComplete(level) && !off['level-flag'] ? MessageFlag.levelReceived : 0;
}

/**
 * Returns whether the node must not contact a peer again on the peer's level: the peer has reported the level as
 * complete (v1.03 section 6), or the node has identified the peer as Byzantine (section 3.5.3).
 */
export function isSilenced({ levels, peers }: HandelState, level: number, peer: number): boolean {
  return levels.isSmall(level) ? levels.isSilenced(level, peer) : peers.has(peer, PeerFact.silenced);
}

/** Stops contacting a peer. */
export function silence(state: HandelState, level: number, peer: number): void {
  const { levels, peers } = state;
  if (isSilenced(state, level, peer)) return;
  if (levels.isSmall(level)) {
    levels.setSilenced(level, peer);
  } else {
    peers.add(peer, PeerFact.silenced);
    levels.countSilenced(level, 1);
  }
}

/**
 * Contacts a peer again that no longer has the level complete, because it restarted and lost its state. Two messages
 * that arrive in the wrong order look like such a restart. After such a reordering, the peer receives a few more
 * messages until it reports the level as complete again.
 */
export function listenAgain(state: HandelState, level: number, peer: number): void {
  const { levels, peers } = state;
  if (!isSilenced(state, level, peer)) return;
  if (levels.isSmall(level)) {
    levels.clearSilenced(level, peer);
  } else {
    peers.remove(peer, PeerFact.silenced);
    levels.countSilenced(level, -1);
  }
}

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
