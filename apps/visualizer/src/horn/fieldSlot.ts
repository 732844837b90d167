import { neverUs, type SlotClock } from '@tutti/core/horn';
import type { SlotResult, SlotScenario } from '@tutti/ethereum';
import { upperBound } from '../timeline/heldSteps.ts';

/** Role of the validator at a place. */
export const VoterRole = { honest: 0, absent: 1, byzantine: 2, lostToEve: 3 } as const;

/** Times at which votes reach each state, µs. The value is {@link neverUs} if the vote never reaches the state. */
export interface VoteTimes {
  readonly castUs: Int32Array;
  /** Times at which an aggregator has verified each vote. */
  readonly seenUs: Int32Array;
  /** Times at which each vote is in the proposer's reach. */
  readonly reachUs: Int32Array;
}

/** Data about a slot for drawing the field of votes, from a simulation or a live room. */
export interface FieldSlot {
  readonly result: { readonly scenario: Pick<SlotScenario, 'system' | 'parameters'> };
  readonly clock: SlotClock;
  /** Number of committees that vote in the slot. The voting committees come first. */
  readonly votingCommittees: number;
  /** Number of places per committee. */
  readonly committee: number;
  /** Number of places per subcommittee. */
  readonly subcommittee: number;
  /** Times by place, ordered by committee and, within a committee, by subcommittee. */
  readonly times: VoteTimes;
  /** {@link VoterRole} at each place. */
  readonly roles: Uint8Array;
  /** Times of honest votes, each column in ascending order, for counting by binary search. */
  readonly sorted: VoteTimes;
}

/**
 * Returns the time from which the honest votes lost because of Eve are known, µs. The losses are determined by the
 * messages on the global topic.
 */
export function lostSinceUs({ result, clock }: FieldSlot): number {
  return result.scenario.system === 'horn' ? clock.collectUs : clock.aggregateUs;
}

/** Causes of loss for which Eve is responsible: her aggregators, her collectors, and griefing. */
export const evesCauses = ['hostileAggregators', 'hostileCollectors', 'outweighed'] as const;

/** Returns the number of honest votes that Eve excludes. */
export function lostToEve({ votes: { lost } }: Pick<SlotResult, 'votes'>): number {
  return evesCauses.reduce((sum, cause) => sum + lost[cause], 0);
}

/** Sent aggregates or collections, in columns. */
export interface SentSets {
  /** Group of each set: the index of an aggregate's subcommittee within the slot, or of a collection's committee. */
  readonly group: Int32Array;
  readonly sentUs: Int32Array;
  /** Flag for each set: 1 if Eve sent the set. */
  readonly byzantine: Uint8Array;
}

/** Numbers of honest votes at a range of places. `cast`, `seen` and `reach` are the numbers at a moment. */
export interface VoteCounts {
  /** Number of honest validators that cast a vote at some time in the slot. */
  readonly voters: number;
  readonly cast: number;
  readonly seen: number;
  readonly reach: number;
}

/** Counts the votes of all committees of the slot. */
export function votesOfAll({ sorted }: FieldSlot, timeUs: number): VoteCounts {
  return {
    voters: sorted.castUs.length,
    cast: upperBound(sorted.castUs, timeUs),
    seen: upperBound(sorted.seenUs, timeUs),
    reach: upperBound(sorted.reachUs, timeUs),
  };
}

/** Counts the votes at the places [from, to). Returns undefined if these places do not vote in this slot. */
export function votesOfPlaces(
  { times, roles }: FieldSlot,
  from: number,
  to: number,
  timeUs: number,
): VoteCounts | undefined {
  if (from >= roles.length) return undefined;
  const counts = { voters: 0, cast: 0, seen: 0, reach: 0 };
  for (let place = from; place < to; place++) {
    if (roles[place] === VoterRole.byzantine || times.castUs[place] === neverUs) continue;
    counts.voters++;
    if (times.castUs[place]! <= timeUs) counts.cast++;
    if (times.seenUs[place]! <= timeUs) counts.seen++;
    if (times.reachUs[place]! <= timeUs) counts.reach++;
  }
  return counts;
}

/** Returns the number of sets that the groups [from, to) have sent by a given moment, inclusive. */
export function sentBy({ group, sentUs }: SentSets, from: number, to: number, timeUs: number): number {
  let count = 0;
  for (let set = 0; set < group.length; set++) {
    if (group[set]! >= from && group[set]! < to && sentUs[set]! <= timeUs) count++;
  }
  return count;
}
