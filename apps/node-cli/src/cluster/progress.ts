import { WorldError } from '@tutti/core/errors';
import { counted } from '../numbers.ts';
import type { ProcessProgress } from './memberProcess.ts';

type CountName = 'reached' | 'messages' | 'checked';

/** Reports of each process about the current round; undefined for a process without one. */
export type ToldSoFar = readonly (ProcessProgress | undefined)[];

export function total(told: ToldSoFar, field: CountName): number {
  return told.reduce((sum, one) => sum + (one?.[field] ?? 0), 0);
}

/**
 * Describes the progress of a round in one line.
 *
 * @param which description of the round with a separator; empty if there is only one.
 */
export function aggregating(told: ToldSoFar, nodes: number, which = ''): string {
  return `${which}aggregating: ${total(told, 'reached')} of ${counted(nodes, 'node')} at the threshold, ${counted(total(told, 'messages'), 'message')}, ${counted(total(told, 'checked'), 'check')}`;
}

/** Returns the error for a run that exceeded its time. Parameters are those of `aggregating`. */
export function timeIsUp(told: ToldSoFar, nodes: number, timeoutMs: number, which = ''): WorldError {
  return new WorldError(
    'timeout',
    `${which}${total(told, 'reached')} of ${counted(nodes, 'node')} reached the threshold within the ${timeoutMs / 1000} s of --timeout; increase --timeout or use fewer nodes`,
  );
}
