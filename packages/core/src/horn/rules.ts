import type { MemberSet } from './memberSet.ts';
import type { SlotClock } from './slotTimes.ts';

/**
 * The decisions of validators in a slot, apart from how messages travel: when to act, which aggregate is the best, what
 * goes into a collection. `HornNode` applies them, and so does the sampled run of a slot.
 */

/**
 * The topics of a slot, in the place of a message's level: votes on the subnet of a subcommittee, aggregates on the
 * topic of a committee where there are collectors, and what comes last on the global topic.
 */
export const HornTopic = { subnet: 1, committee: 2, global: 3 } as const;
export type HornTopic = (typeof HornTopic)[keyof typeof HornTopic];

/** What a collector sends: nothing, its own vote alone, or the best aggregate of each subcommittee. */
export type CollectionRule = 'nothing' | 'own-vote' | 'best';

/** What one validator decides; an honest one by `honestRole`, one of Eve's by what she has arranged. */
export interface ValidatorRole {
  /** When it acts. */
  readonly clock: SlotClock;
  /** What it sends as a collector. */
  readonly collection: CollectionRule;
  /**
   * The votes that it puts into its aggregate; none for silence.
   *
   * @param verified votes that it has verified, and its own where it cast one; lent.
   */
  aggregate(verified: MemberSet): MemberSet;
  /**
   * What an aggregate is worth to it as a collector: it keeps the one of the highest rank from each subcommittee.
   *
   * @param author the place of who aggregated. @param weight votes.
   */
  rank(author: number, weight: number): number;
}

/** Aggregates every vote that it has, and collects the heaviest aggregates (Horn: "Collectors"). */
export function honestRole(clock: SlotClock): ValidatorRole {
  return { clock, collection: 'best', aggregate: (verified) => verified, rank: (_, weight) => weight };
}

/** Number that stands for no aggregate among those that {@link keepBest} keeps. */
export const noAggregate = -1;

/**
 * Keeps the best aggregate of each subcommittee: of equal ones the first.
 *
 * @param best the number of each subcommittee's best so far, or {@link noAggregate}; changed. @param rankOf of an
 *   aggregate, by number.
 */
export function keepBest(
  best: Int32Array,
  subcommittee: number,
  aggregate: number,
  rankOf: (aggregate: number) => number,
): void {
  const kept = best[subcommittee]!;
  if (kept === noAggregate || rankOf(aggregate) > rankOf(kept)) best[subcommittee] = aggregate;
}

/** Parts of a collection, in the form that the caller has them. */
export interface CollectionParts {
  /** The collector's own vote. */
  joinOwn(): void;
  /** The best aggregate of a subcommittee. */
  join(aggregate: number, subcommittee: number): void;
}

/**
 * Returns what a collector sends: one aggregate per subcommittee (Horn: "Collectors"), unless the collector is Eve's.
 *
 * @param best as {@link keepBest} leaves it.
 */
export function collect({ collection }: ValidatorRole, best: Int32Array, parts: CollectionParts): void {
  if (collection === 'own-vote') parts.joinOwn();
  if (collection !== 'best') return;
  best.forEach((aggregate, subcommittee) => {
    if (aggregate !== noAggregate) parts.join(aggregate, subcommittee);
  });
}

/** Returns the topic of aggregates: that of collectors if there are any, else the global topic. */
export function topicOfAggregates(collects: boolean): HornTopic {
  return collects ? HornTopic.committee : HornTopic.global;
}
