import type { Port } from '../../protocol.ts';
import { ask, askInTurn, countContact, isAtWork, saveCredit } from './backOff.ts';
import { contactNext } from './messages.ts';
import type { HandelState } from './state.ts';

/**
 * Returns the start time of a level (v1.03 section 3.6), in microseconds after the node's own start. The level starts
 * with the binary tree's level that has the same own side.
 */
export function startTimeUs({ config, scheme }: HandelState, level: number): number {
  return Math.round(scheme.tree.levelOrder(level) * config.levelStartMs * 1000);
}

/** Returns whether a level is active: Out_l is complete or its start time has passed (v1.03 section 3.5.1). */
function isActive(state: HandelState, level: number, sinceStartUs: number): boolean {
  return state.levels.outComplete(level) || sinceStartUs >= startTimeUs(state, level);
}

/**
 * Ends a period of the periodic dissemination (v1.03 section 3.5.1): the node contacts one peer on each active level.
 *
 * Intentional divergence: a level that has sent the same contribution often enough backs off and only asks for missing
 * contributions.
 *
 * @param sinceStartUs time since the node's start, microseconds.
 */
export function disseminate(state: HandelState, port: Port, sinceStartUs: number, hasOutput: boolean): void {
  // Levels become active from the lowest level up.
  let last = state.levels.count;
  while (last > 0 && !isActive(state, last, sinceStartUs)) last--;
  for (let level = 1; level <= last; level++) disseminateOn(state, port, level, sinceStartUs, hasOutput);
  if (hasOutput) askInTurn(state, port);
}

/** Ends a period on one active level. */
export function disseminateOn(
  state: HandelState,
  port: Port,
  level: number,
  sinceStartUs: number,
  hasOutput: boolean,
): void {
  const { levels, config } = state;
  if (config.backOff && levels.passPeriod(level)) {
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
 * Sends Out_l on the fast path (v1.03 section 3.5.1): a few peers receive Out_l immediately on each level from `first`
 * to the highest level whose Out_l is complete.
 */
export function sendFast(state: HandelState, port: Port, first: number): void {
  const { scheme, levels, config } = state;
  const last = Math.min(scheme.tree.lastOfTier(levels.frontier), levels.count);
  for (let level = first; level <= last; level++) contactNext(state, port, level, config.fastPathPeers);
}
