import type { Port } from '../../protocol.ts';
import { ask, askInTurn, countContact, isAtWork, passQuietly, saveCredit } from './backOff.ts';
import { contactNext, isActive } from './dissemination.ts';
import type { HandelState } from './state.ts';

/**
 * Performs a period of the periodic dissemination (v1.03 section 3.5.1): it contacts one peer on each active level.
 *
 * Intentional divergence: a level that has sent the same contribution for long enough backs off and only asks.
 *
 * @param sinceStartUs time since the node's start, microseconds.
 */
export function disseminate(state: HandelState, port: Port, sinceStartUs: number, hasOutput: boolean): void {
  const last = lastActive(state, sinceStartUs);
  for (let level = 1; level <= last; level++) disseminateOn(state, port, level, sinceStartUs, hasOutput);
  if (hasOutput) askInTurn(state, port);
}

/** Returns the highest active level. Levels become active from the lowest up; in most periods all are active. */
function lastActive(state: HandelState, sinceStartUs: number): number {
  let level = state.levels.count;
  while (level > 0 && !isActive(state, level, sinceStartUs)) level--;
  return level;
}

/** Performs a period on one active level. */
export function disseminateOn(
  state: HandelState,
  port: Port,
  level: number,
  sinceStartUs: number,
  hasOutput: boolean,
): void {
  if (passQuietly(state, level)) {
    const { levels } = state;
    if (levels.owes(level)) {
      levels.setOwes(level, false);
      contactNext(state, port, level, 1);
    } else if (hasOutput || !ask(state, port, level, sinceStartUs)) saveCredit(state, level, 1);
    return;
  }
  contactNext(state, port, level, 1);
  countContact(state, level, hasOutput);
}

/** Returns whether periods have anything left to do on any level. */
export function isAnyAtWork(state: HandelState): boolean {
  for (let level = 1; level <= state.levels.count; level++) if (isAtWork(state, level)) return true;
  return false;
}

/**
 * Sends Out_l on the fast path (v1.03 section 3.5.1). Out_l has become complete on the levels from `first` up. A few
 * peers of each of these levels receive it immediately.
 */
export function sendFast(state: HandelState, port: Port, first: number): void {
  const { scheme, levels, config } = state;
  const last = Math.min(scheme.tree.lastOfTier(levels.frontier), levels.count);
  for (let level = first; level <= last; level++) contactNext(state, port, level, config.fastPathPeers);
}
