import { WorldError } from '@tutti/core/input';
import { counted } from '../output/text.ts';
import type { ProcessProgress } from './memberProcess.ts';

type CountName = 'reached' | 'messages' | 'checked';

/** Reports of each process about the current round; undefined for a process without one. */
export type ReportedProgress = readonly (ProcessProgress | undefined)[];

export function total(reported: ReportedProgress, field: CountName): number {
  return reported.reduce((sum, one) => sum + (one?.[field] ?? 0), 0);
}

/**
 * Describes the progress of a round in one line.
 *
 * @param which description of the round with a separator; empty if there is only one.
 */
export function aggregating(reported: ReportedProgress, nodes: number, which = ''): string {
  return `${which}aggregating: ${total(reported, 'reached')} of ${counted(nodes, 'node')} at the threshold, ${counted(total(reported, 'messages'), 'message')}, ${counted(total(reported, 'checked'), 'check')}`;
}

/** Returns the error for a run that exceeded its time. Parameters are those of `aggregating`. */
export function timeIsUp(reported: ReportedProgress, nodes: number, timeoutMs: number, which = ''): WorldError {
  return new WorldError(
    'timeout',
    `${which}${total(reported, 'reached')} of ${counted(nodes, 'node')} reached the threshold within the ${timeoutMs / 1000} s of --timeout; increase --timeout or use fewer nodes`,
  );
}
