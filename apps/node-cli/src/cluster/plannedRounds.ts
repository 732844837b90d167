import { availableParallelism } from 'node:os';
import { fittingPeriodMs, type PriorityRows, periodPerNodeMs, type RoundPlan, roundMessage } from '@tutti/transports';
import { monotonicClock } from '@tutti/transports/node';

const minPeriodMs = 50;

export const defaultPeriodText = `${minPeriodMs} or ${periodPerNodeMs} for each node on the same core, whichever is greater`;

/** Returns the default dissemination period, ms. */
export function defaultPeriodMs(nodes: number, processes: number): number {
  const nodesPerCore = nodes / Math.min(processes, availableParallelism());
  return Math.max(minPeriodMs, fittingPeriodMs(nodesPerCore));
}

/** Clock of this machine, the same in all of its processes. */
export const machineClock = monotonicClock(0n);

/** Time between the command to start and the start, so that the last process receives the command in time, ms. */
export const leadMs = 50;

/** Returns a common start that is late enough for all processes, µs by the machine's clock. */
export function nextStartUs(): number {
  return machineClock.nowUs() + leadMs * 1000;
}

/** A round whose seed is not known yet: it depends on previous results, see `Beacon`. */
export type PlannedRound = Omit<RoundPlan, 'seed'>;

/**
 * Returns the rounds of a cluster, numbered from 1. A single round signs the text as it is; each of several rounds
 * signs its own message, see `roundMessage`.
 *
 * @param firstPeriod period of the first round, for a forward-secure scheme; it increases by one per round.
 */
export function plannedRounds(
  text: string,
  count: number,
  priorities: PriorityRows,
  firstPeriod?: number,
): PlannedRound[] {
  return Array.from({ length: count }, (_, k) => ({
    number: k + 1,
    message: count === 1 ? new TextEncoder().encode(text) : roundMessage(text, k + 1),
    priorities,
    ...(firstPeriod === undefined ? {} : { period: firstPeriod + k }),
  }));
}
