import { MessageFlag, NONE, type Port } from '../protocol.ts';
import { outOf } from './aggregation.ts';
import { isSilenced } from './silence.ts';
import type { HandelState } from './state.ts';

/** A level is active when Out_l is complete or when its start time has passed (v1.03 section 3.5.1). */
export function isActive(state: HandelState, level: number, sinceStartUs: number): boolean {
  return state.levels.outComplete(level) || sinceStartUs >= (level - 1) * state.config.levelStartMs * 1000;
}

/** Whether the level has a peer that may still be told something: one that has not said that it has all, nor is blacklisted. */
export function hasListeners(state: HandelState, level: number): boolean {
  return state.levels.silencedCount(level) < state.levels.size(level);
}

/**
 * Sends Out_l to the next `count` listening peers in the order of the prioritisation vector (v1.03 sections 3.3 and 3.5.1), each at most
 * once.
 */
export function contactNext(state: HandelState, port: Port, level: number, count: number): void {
  const { id, scheme, levels, priorities } = state;
  const start = scheme.tree.start(scheme.tree.peerBlock(id, level));
  const end = start + levels.size(level);
  const places = priorities.places(end - start);
  const silenced = levels.silencedCount(level);
  let left = Math.min(count, levels.size(level) - silenced);
  while (left > 0) {
    const peer = priorities.contact(id, start, end, levels.takePlace(level, places));
    if (peer < 0) continue;
    if (silenced > 0 && isSilenced(state, level, peer)) continue;
    sendOut(state, port, level, peer);
    left--;
  }
}

/** Sends Out_l with the node's individual contribution to one peer, and says whether In_l is complete (v1.03 sections 3.5 and 6). */
export function sendOut(state: HandelState, port: Port, level: number, peer: number, flags = 0): void {
  const { scheme, levels, own } = state;
  const out = outOf(state, level);
  const received = levels.inComplete(level) ? MessageFlag.levelReceived : 0;
  port.send(peer, level, out, scheme.weight(out) === 1 ? NONE : own, flags | received);
}
