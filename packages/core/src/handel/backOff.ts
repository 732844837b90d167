import { noContribution, type Port } from '../protocol.ts';
import { outOf } from './aggregation.ts';
import { contactNext, contactShare, individualBeside } from './dissemination.ts';
import { PeerFact } from './peers.ts';
import type { HandelState } from './state.ts';

/**
 * In how many periods the same Out_l is told before a level falls quiet: one where the node lacks nothing of the level; a few where it has its
 * output, or liars, who never fall quiet, would have most of the say with who is late; otherwise as many as it takes to contact every listening
 * peer once, and some in any case, since messages get lost.
 */
const patience = { complete: 1, withOutput: 8, least: 16 } as const;

/** Periods from one question of a quiet level to the next, at most. */
export const longestGap = 64;

/** Periods from one question to a peer to the next one to it, at least: what is on its way is not asked for again. */
const leastPerPeer = 8;

/**
 * What a period does on an active level: it contacts the next peer, and where the node backs off, and Out_l has been told as it is for as long as
 * {@link patience} asks, the level falls quiet. From then on it only asks, until Out_l changes.
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

/** Whether periods have anything left to do on the level: somebody to tell, or something to ask for. */
export function isAtWork({ levels, config }: HandelState, level: number): boolean {
  const size = levels.size(level);
  const hasListeners = levels.silencedCount(level) < size;
  if (!config.backOff) return hasListeners;
  return size > 0 && (!levels.inComplete(level) || (hasListeners && !levels.isQuiet(level)));
}

/**
 * A quiet level contacts only peers whose contributions it lacks, the next in the order of the prioritisation vector, whether they listen or not:
 * who is there answers at once. The gap from one question to the next doubles with each round through them, up to {@link longestGap} periods.
 *
 * A level l lets l periods pass before it first asks: what all lack, because it was suppressed, the fewer nodes of lower levels ask for first, and
 * hand on; or else all would ask the one that has it at once.
 */
function ask(state: HandelState, port: Port, level: number): void {
  const { id, levels, peers, priorities, scheme } = state;
  if (levels.size(level) === 0 || levels.inComplete(level) || levels.passPeriod(level)) return;
  const block = scheme.tree.peerBlock(id, level);
  const places = priorities.places(block);
  const known = levels.in(level);
  for (let left = places; left > 0; left--) {
    const peer = priorities.contact(id, block, levels.takePlace(level, places));
    const round = levels.countPlace(level, places);
    if (peer < 0 || peers.has(peer, PeerFact.blacklisted) || (known !== noContribution && scheme.contains(known, peer)))
      continue;
    const out = outOf(state, level);
    port.send(peer, level, out, individualBeside(state, out), 0);
    const lacking = levels.size(level) - levels.inWeight(level);
    const gap = 2 ** round * Math.max(1, Math.ceil(leastPerPeer / lacking));
    levels.wait(level, Math.min(longestGap, gap) - 1);
    return;
  }
  levels.wait(level, longestGap - 1);
}
