import { availableParallelism } from 'node:os';

const leastPeriodMs = 50;

/**
 * Each node waits for the packets and checks of all its neighbours on that core. Sending more often than the nodes can
 * process only takes CPU away from processing: measured, 512 nodes on two cores are done 7 s after the start with a
 * period of 768 ms, and 18 s after it with 130 ms.
 */
const periodPerNodeMs = 3;

export const defaultPeriodText = `${leastPeriodMs}, or ${periodPerNodeMs} for each node that shares a core if that is more`;

/** The dissemination period where none is asked for, ms. */
export function defaultPeriodMs(nodes: number, processes: number): number {
  const nodesPerCore = nodes / Math.min(processes, availableParallelism());
  return Math.max(leastPeriodMs, Math.ceil(nodesPerCore * periodPerNodeMs));
}
