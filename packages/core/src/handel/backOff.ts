import { noContribution, type Port } from '../protocol.ts';
import { outOf } from './aggregation.ts';
import { contactNext, contactShare, individualBeside } from './dissemination.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/**
 * In how many periods the same Out_l is sent before a level falls quiet. One, if the node lacks nothing of the level. A
 * few, if it has given its output: otherwise late nodes would hear mostly from liars, who never fall quiet. Else as
 * many as it takes to contact every listening peer once, and at least a few, since messages get lost.
 */
const patience = { complete: 1, withOutput: 8, least: 16 } as const;

/** Periods from one question of a quiet level to the next, at most. */
export const longestGap = 64;

/**
 * The least number of periods between two questions to the same peer, so that nothing is asked for that is already on
 * its way.
 */
const leastPerPeer = 8;

/**
 * What a period does on an active level: it contacts the next peer. If the node backs off, and the same Out_l has been
 * sent for as many periods as {@link patience} says, the level falls quiet. From then on it only asks, until Out_l
 * changes.
 *
 * Intentional divergence: in v1.03 section 3.5.1 every active level is contacted every period, forever.
 */
export function disseminate(state: HandelState, port: Port, level: number, hasOutput: boolean): void {
  const { levels, config } = state;
  if (config.backOff && levels.isQuiet(level)) {
    ask(state, port, level);
    return;
  }
  const listeners = levels.size(level) - levels.silencedCount(level);
  contactNext(state, port, level, contactShare(state, level));
  if (!config.backOff) return;
  const enough = levels.inComplete(level)
    ? patience.complete
    : hasOutput
      ? patience.withOutput
      : Math.max(patience.least, listeners);
  if (listeners > 0 && levels.countContact(level) < enough) return;
  levels.fallQuiet(level);
  levels.wait(level, level);
}

/** Whether periods have anything left to do on the level: a peer to send to, or something to ask for. */
export function isAtWork({ levels, config }: HandelState, level: number): boolean {
  const size = levels.size(level);
  const hasListeners = levels.silencedCount(level) < size;
  if (!config.backOff) return hasListeners;
  return size > 0 && (!levels.inComplete(level) || (hasListeners && !levels.isQuiet(level)));
}

/**
 * A quiet level contacts only peers whose contributions it lacks, in the order of the prioritisation vector, whether
 * they listen or not: a peer that is there answers at once. The gap from one question to the next doubles with each
 * round through them, up to {@link longestGap} periods.
 *
 * A level l lets l periods pass before it first asks. If everybody lacks a contribution because it was suppressed, the
 * few nodes of lower levels ask for it first and pass it on; otherwise everybody would ask its one holder at once.
 */
function ask(state: HandelState, port: Port, level: number): void {
  const { id, levels, peers, priorities, scheme } = state;
  if (levels.size(level) === 0 || levels.inComplete(level) || levels.passPeriod(level)) return;
  const block = scheme.tree.peerBlock(id, level);
  const places = priorities.places(block);
  const known = levels.in(level);
  const first = levels.cursor(level);
  for (let passed = 1; passed <= places; passed++) {
    const peer = priorities.contact(id, block, (first + passed - 1) % places);
    if (peer < 0 || (known !== noContribution && scheme.contains(known, peer)) || peers.has(peer, PeerFact.blacklisted))
      continue;
    const round = levels.askOver(level, places, passed);
    const out = outOf(state, level);
    port.send(peer, level, out, individualBeside(state, out), 0);
    const lacking = levels.size(level) - levels.inWeight(level);
    const gap = 2 ** round * Math.max(1, Math.ceil(leastPerPeer / lacking));
    levels.wait(level, Math.min(longestGap, gap) - 1);
    return;
  }
  levels.askOver(level, places, places);
  levels.wait(level, longestGap - 1);
}
