import type { Port } from '../../protocol.ts';
import { ask, askInTurn, isAtWork, passQuietly, save, tire } from './backOff.ts';
import { contactNext, isActive } from './dissemination.ts';
import type { HandelState } from './state.ts';

/**
 * Periodic dissemination (v1.03 section 3.5.1): each period contacts one peer on each active level.
 *
 * Intentional divergence: a level that has said the same for long enough backs off, and only asks.
 *
 * @param sinceStartUs time since the node's start, microseconds.
 */
export function disseminate(state: HandelState, port: Port, sinceStartUs: number, hasOutput: boolean): void {
  const last = lastActive(state, sinceStartUs);
  for (let level = 1; level <= last; level++) disseminateOn(state, port, level, sinceStartUs, hasOutput);
  if (hasOutput) askInTurn(state, port);
}

/** Levels become active from the lowest up: in most periods, all are. */
function lastActive(state: HandelState, sinceStartUs: number): number {
  let level = state.levels.count;
  while (level > 0 && !isActive(state, level, sinceStartUs)) level--;
  return level;
}

/** What a period does on an active level. */
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
    } else if (hasOutput || !ask(state, port, level, sinceStartUs)) save(state, level, 1);
    return;
  }
  contactNext(state, port, level, 1);
  tire(state, level, hasOutput);
}

/** Whether periods have anything left to do on any level. */
export function isAnyAtWork(state: HandelState): boolean {
  for (let level = 1; level <= state.levels.count; level++) if (isAtWork(state, level)) return true;
  return false;
}

/**
 * The fast path: Out_l became complete on the levels from `first` up, and is sent at once to a few peers of each (v1.03
 * section 3.5.1).
 */
export function sendFast(state: HandelState, port: Port, first: number): void {
  const { scheme, levels, config } = state;
  const last = Math.min(scheme.tree.lastOfTier(levels.frontier), levels.count);
  for (let level = first; level <= last; level++) contactNext(state, port, level, config.fastPathPeers);
}
