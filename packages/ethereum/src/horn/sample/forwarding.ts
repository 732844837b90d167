import type { RandomStream } from '@tutti/core';
import { emptySet, type MemberSet, maxMultiplicity, sizeBeyond, sizeOf, union } from '@tutti/core/horn-rules';

/**
 * What of a subcommittee's aggregates a collector forwards: those that are merged into each of the sums that it sends.
 */
export type Forwarded = readonly (readonly MemberSet[])[];

/** How a collector treats the aggregates of one subcommittee. It cannot tell Eve's from an honest one's. */
export interface ForwardingScheme {
  readonly name: string;
  /** Sums that are sent for a committee, at least. */
  readonly sums: number;
  forward(aggregates: readonly MemberSet[], random: RandomStream): Forwarded;
}

/** The heaviest aggregate, the first of several (Horn: "Collectors"). */
export function heaviest(aggregates: readonly MemberSet[]): number {
  let best = 0;
  for (let index = 1; index < aggregates.length; index++) {
    if (sizeOf(aggregates[index]!) > sizeOf(aggregates[best]!)) best = index;
  }
  return best;
}

/**
 * Which overlapping aggregates to merge: again and again the one that adds most votes, until none adds any or `most`
 * are in. Merging what adds nothing would only make the multiplicities longer.
 */
export function aggregatesToMerge(aggregates: readonly MemberSet[], most: number): readonly MemberSet[] {
  const chosen: MemberSet[] = [];
  if (aggregates.length === 0) return chosen;
  const covered = emptySet(32 * aggregates[0]!.length);
  while (chosen.length < most) {
    let best: MemberSet | undefined;
    let added = 0;
    for (const aggregate of aggregates) {
      const adds = sizeBeyond(aggregate, covered);
      if (adds <= added) continue;
      best = aggregate;
      added = adds;
    }
    if (best === undefined) break;
    chosen.push(best);
    covered.set(union([covered, best], 32 * covered.length));
  }
  return chosen;
}

/**
 * All that add a vote, in sums of at most `most` each, so that no validator is in one more often. Whoever merges fewer
 * has to leave out one that may be the only honest one: of `most` + 1 aggregates that all have a vote in common and one
 * of their own each, any may be, and no single sum holds them all. Of honest aggregates, which have much the same
 * votes, the first sum is the only one.
 */
export function sumsOfAll(aggregates: readonly MemberSet[], most: number): Forwarded {
  const all = aggregatesToMerge(aggregates, aggregates.length);
  const sums: MemberSet[][] = [all.slice(0, most)];
  for (let start = most; start < all.length; start += most) sums.push(all.slice(start, start + most));
  return sums;
}

/** Horn as it is, and its remedies against reward griefing (Horn: "Alternative aggregation schemes"). */
export const forwardingSchemes = {
  /** The best aggregate alone. */
  bitfield: {
    name: 'bitfield',
    sums: 1,
    forward: (aggregates) => [aggregates.length === 0 ? [] : [aggregates[heaviest(aggregates)]!]],
  },
  /**
   * The best aggregate, and in a second collection one of the others, whichever: Eve can be the best, but not all of
   * them.
   */
  largestAndRandom: {
    name: 'largest and random',
    sums: 2,
    forward(aggregates, random) {
      if (aggregates.length === 0) return [[], []];
      const largest = heaviest(aggregates);
      const others = aggregates.filter((_, index) => index !== largest);
      return [[aggregates[largest]!], others.length === 0 ? [] : [others[random.nextBelow(others.length)]!]];
    },
  },
  /**
   * Merged, in as many sums as it takes for four bits to hold them: one, unless Eve has 15 aggregators and spends votes
   * on each.
   */
  fourBit: {
    name: 'four-bit integers',
    sums: 1,
    forward: (aggregates) => sumsOfAll(aggregates, maxMultiplicity),
  },
  /** Merged, as many as there are: the proof speaks for the multiplicities, which nobody sends. */
  succinctProof: {
    name: 'succinct proof',
    sums: 1,
    forward: (aggregates) => [aggregatesToMerge(aggregates, aggregates.length)],
  },
} as const satisfies Record<string, ForwardingScheme>;

export type ForwardingName = keyof typeof forwardingSchemes;
export const forwardingNames = Object.keys(forwardingSchemes) as readonly ForwardingName[];
