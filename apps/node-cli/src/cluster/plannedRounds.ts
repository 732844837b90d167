import { type RoundPlan, roundMessage } from '@tutti/transports';

/** A round of a rehearsal: it is known by a simulated run's seed. */
export interface PlannedRound extends RoundPlan {
  readonly seed: number;
}

/**
 * The rounds of a cluster, from 1 on. One alone signs the text as it is; each of several signs its own, see `roundMessage`.
 *
 * @param seed of the first round's shuffle, 32 bits; each further one is the next, so that round k has the places and
 *   the priorities of a simulated run of seed + k - 1.
 * @param firstPeriod of the first round, for a forward-secure scheme; each further one is the next.
 */
export function plannedRounds(text: string, seed: number, count: number, firstPeriod?: number): PlannedRound[] {
  return Array.from({ length: count }, (_, k) => ({
    number: k + 1,
    message: count === 1 ? new TextEncoder().encode(text) : roundMessage(text, k + 1),
    seed: (seed + k) >>> 0,
    priorities: 'shifted',
    ...(firstPeriod === undefined ? {} : { period: firstPeriod + k }),
  }));
}
