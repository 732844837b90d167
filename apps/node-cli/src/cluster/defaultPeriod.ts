import { availableParallelism } from 'node:os';
import { fittingPeriodMs, periodPerNodeMs } from '@tutti/transports';

const leastPeriodMs = 50;

export const defaultPeriodText = `${leastPeriodMs}, or ${periodPerNodeMs} for each node that shares a core if that is more`;

/** The dissemination period where none is asked for, ms. */
export function defaultPeriodMs(nodes: number, processes: number): number {
  const nodesPerCore = nodes / Math.min(processes, availableParallelism());
  return Math.max(leastPeriodMs, fittingPeriodMs(nodesPerCore));
}
