import { WorldError } from '@tutti/core/errors';
import { counted } from '../numbers.ts';
import type { ProcessProgress } from './memberProcess.ts';

type CountName = 'reached' | 'messages' | 'checked';

/** What each process of a run has reported of a round so far; undefined if it has reported nothing. */
export type ToldSoFar = readonly (ProcessProgress | undefined)[];

export function total(told: ToldSoFar, field: CountName): number {
  return told.reduce((sum, one) => sum + (one?.[field] ?? 0), 0);
}

/**
 * How far a round is, in a line.
 *
 * @param which round it is, with what goes behind that; empty where there is one.
 */
export function aggregating(told: ToldSoFar, nodes: number, which = ''): string {
  return `${which}aggregating: ${total(told, 'reached')} of ${counted(nodes, 'node')} at the threshold, ${counted(total(told, 'messages'), 'message')}, ${counted(total(told, 'checked'), 'check')}`;
}

/** Why a run was given up. Arguments as for `aggregating`. */
export function timeIsUp(told: ToldSoFar, nodes: number, timeoutMs: number, which = ''): WorldError {
  return new WorldError(
    'timeout',
    `${which}${total(told, 'reached')} of ${counted(nodes, 'node')} reached the threshold within the ${timeoutMs / 1000} s of --timeout; give it more, or fewer nodes`,
  );
}
