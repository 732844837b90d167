import type { RandomStream } from '@tutti/core';
import { emptySet, type MemberSet, maxMultiplicity, shiftInto, sizeBeyond, sizeOf } from '@tutti/core/horn';

/** Aggregates of a subcommittee that a collector forwards: one list per sum into which it merges them. */
export type Forwarded = readonly (readonly MemberSet[])[];

/**
 * Scheme by which a collector forwards aggregates; the collector cannot distinguish Byzantine aggregates from honest
 * ones.
 */
export interface ForwardingScheme {
  readonly name: string;
  /** Minimum number of sums sent for a committee. */
  readonly sums: number;
  forward(aggregates: readonly MemberSet[], random: RandomStream): Forwarded;
}

/** Returns the index of the heaviest aggregate, or of the first one in case of a tie (Horn: "Collectors"). */
export function heaviest(aggregates: readonly MemberSet[]): number {
  let best = 0;
  for (let index = 1; index < aggregates.length; index++) {
    if (sizeOf(aggregates[index]!) > sizeOf(aggregates[best]!)) best = index;
  }
  return best;
}

/**
 * Chooses the overlapping aggregates to merge. The collector repeatedly takes the aggregate that adds the most votes,
 * until no aggregate adds a vote. Merging an aggregate that adds no vote would only increase the multiplicities.
 */
export function aggregatesToMerge(aggregates: readonly MemberSet[]): readonly MemberSet[] {
  const chosen: MemberSet[] = [];
  if (aggregates.length === 0) return chosen;
  const covered = emptySet(32 * aggregates[0]!.length);
  for (;;) {
    let best: MemberSet | undefined;
    let added = 0;
    for (const aggregate of aggregates) {
      const adds = sizeBeyond(aggregate, covered);
      if (adds <= added) continue;
      best = aggregate;
      added = adds;
    }
    if (best === undefined) return chosen;
    chosen.push(best);
    shiftInto(covered, best, 0);
  }
}

/**
 * Returns all aggregates that add a vote, in sums of at most `maxMultiplicity` aggregates each, so that no validator
 * exceeds that multiplicity. Merging fewer aggregates may leave out the only honest one. Suppose that more than
 * `maxMultiplicity` aggregates share a vote and each has a vote of its own. Then any of these aggregates may be honest,
 * and no single sum can contain all of them. Honest aggregates have almost the same votes, so without attackers there
 * is only one sum.
 */
function sumsOfAll(aggregates: readonly MemberSet[]): Forwarded {
  const all = aggregatesToMerge(aggregates);
  const count = Math.max(1, Math.ceil(all.length / maxMultiplicity));
  return Array.from({ length: count }, (_, sum) => all.slice(sum * maxMultiplicity, (sum + 1) * maxMultiplicity));
}

/** Horn as proposed, and its remedies against reward griefing (Horn: "Alternative aggregation schemes"). */
export const forwardingSchemes = {
  /** Only the best aggregate. */
  bitfield: {
    name: 'bitfield',
    sums: 1,
    forward: (aggregates) => [aggregates.length === 0 ? [] : [aggregates[heaviest(aggregates)]!]],
  },
  /** The best aggregate, and a random one of the others in a second collection. Not all aggregates are Byzantine. */
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
  /** All aggregates merged, in one sum unless the attacker has 15 aggregators and spends votes on each. */
  fourBit: {
    name: 'four-bit integers',
    sums: 1,
    forward: sumsOfAll,
  },
  /** All aggregates merged into one sum. The proof covers the multiplicities, which are not sent. */
  succinctProof: {
    name: 'succinct proof',
    sums: 1,
    forward: (aggregates) => [aggregatesToMerge(aggregates)],
  },
} as const satisfies Record<string, ForwardingScheme>;

/** Name of a scheme in {@link forwardingSchemes}. */
export type ForwardingName = keyof typeof forwardingSchemes;
/** Names of all forwarding schemes. */
export const forwardingNames = Object.keys(forwardingSchemes) as readonly ForwardingName[];
