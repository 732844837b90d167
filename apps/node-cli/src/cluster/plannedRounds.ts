import { type PriorityRows, type RoundPlan, roundMessage } from '@tutti/transports';

/** A round whose seed is not known yet: it depends on what precedes the round, see `Beacon`. */
export type PlannedRound = Omit<RoundPlan, 'seed'>;

/**
 * The rounds of a cluster, from 1 on. One alone signs the text as it is; each of several signs its own, see
 * `roundMessage`.
 *
 * @param firstPeriod of the first round, for a forward-secure scheme; each further one is the next.
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
