import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/**
 * Whether a peer is not to be contacted again on its level: it said that it has the level complete (v1.03 section 6),
 * or it was identified as Byzantine (section 3.5.3).
 */
export function isSilenced({ levels, peers }: HandelState, level: number, peer: number): boolean {
  return levels.isSmall(level) ? levels.isSilenced(level, peer) : peers.has(peer, PeerFact.silenced);
}

/** Contacts a peer no more. */
export function silence(state: HandelState, level: number, peer: number): void {
  const { levels, peers } = state;
  if (isSilenced(state, level, peer)) return;
  if (levels.isSmall(level)) {
    levels.setSilenced(level, peer);
  } else {
    peers.add(peer, PeerFact.silenced);
    levels.countSilenced(level);
  }
}

/**
 * Contacts a peer again that does not have the level complete after all, because it lost its state and began anew. A
 * message that was overtaken by a later one looks the same; the peer then gets some more messages until it says again
 * that it has everything.
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
