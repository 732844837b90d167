import type { SlotClock } from '@tutti/core/horn';
import type { SlotScenario } from '@tutti/ethereum';

/** Later than any slot. */
export const neverUs = 2 ** 31 - 1;

/** Kinds of validators at the places of a committee. */
export const VoterRole = { honest: 0, absent: 1, byzantine: 2, lostToEve: 3 } as const;

/** Times of the votes at each place, microseconds; {@link neverUs} if there is none. */
export interface VoteTimes {
  readonly castUs: Int32Array;
  readonly seenUs: Int32Array;
  readonly reachUs: Int32Array;
}

/** What the field of votes draws of a slot: a simulated one, or one of a live room. */
export interface FieldSlot {
  readonly result: { readonly scenario: Pick<SlotScenario, 'system' | 'parameters'> };
  readonly clock: SlotClock;
  /** Committees that vote in this slot, the first of all. */
  readonly votingCommittees: number;
  readonly committee: number;
  readonly subcommittee: number;
  /** Times by place: committees one after another, and in each its subcommittees. */
  readonly times: VoteTimes;
  /** A {@link VoterRole} by place. */
  readonly roles: Uint8Array;
  /** The same times of honest votes, each column in order, so that counting is looking up. */
  readonly sorted: VoteTimes;
}

/** How many of the times, which are in order, are at or before a moment. */
export function countUntil(sortedUs: Int32Array, timeUs: number): number {
  let [from, to] = [0, sortedUs.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sortedUs[middle]! <= timeUs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Since when honest votes that Eve keeps out are known to be lost: that is decided by what is sent to the global topic.
 */
export function lostSinceUs({ result, clock }: FieldSlot): number {
  return result.scenario.system === 'horn' ? clock.collectUs : clock.aggregateUs;
}
