import { countUntil, type FieldSlot, neverUs, VoterRole } from './fieldSlot.ts';
import type { SentSets } from './slotIndex.ts';

/** Numbers of honest votes at some places, by state at a moment. */
export interface VoteCounts {
  readonly voters: number;
  readonly cast: number;
  readonly seen: number;
  readonly reach: number;
}

/** Counts the votes over all committees of the slot. */
export function votesOfAll({ sorted }: FieldSlot, timeUs: number): VoteCounts {
  return {
    voters: sorted.castUs.length,
    cast: countUntil(sorted.castUs, timeUs),
    seen: countUntil(sorted.seenUs, timeUs),
    reach: countUntil(sorted.reachUs, timeUs),
  };
}

/** Counts the votes over a range of places. Undefined if none of them votes in this slot. */
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

/** Returns the number of sets that the groups of a range had sent. */
export function sentBy({ group, sentUs }: SentSets, from: number, to: number, timeUs: number): number {
  let count = 0;
  for (let set = 0; set < group.length; set++) {
    if (group[set]! >= from && group[set]! < to && sentUs[set]! <= timeUs) count++;
  }
  return count;
}
