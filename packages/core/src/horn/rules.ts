import type { MemberSet } from '../memberSet.ts';
import type { SlotClock } from './parameters.ts';

/**
 * Decisions of validators in a slot, independent of the transport of messages: when to act, which aggregate is the
 * best, and what a collection contains. Both `HornNode` and the sampled simulation of a slot use these decisions.
 */

/**
 * Topics of a slot. In Horn messages, the topic replaces the level. Votes go to the subnet of a subcommittee.
 * Aggregates go to the topic of a committee if there are collectors. The final messages of a slot go to the global
 * topic.
 */
export const HornTopic = { subnet: 1, committee: 2, global: 3 } as const;
export type HornTopic = (typeof HornTopic)[keyof typeof HornTopic];

/** Content of a collector's message: nothing, only its own vote, or the best aggregate of each subcommittee. */
export type CollectionRule = 'nothing' | 'own-vote' | 'best';

/**
 * Decisions of one validator. `honestRole` creates the decisions of an honest validator; an attack creates the
 * decisions of a Byzantine validator.
 */
export interface ValidatorRole {
  /** Times at which the validator acts. The caller of `HornNode` passes them to the node as its clock. */
  readonly clock: SlotClock;
  /** Content of the validator's message as a collector. */
  readonly collection: CollectionRule;
  /**
   * Returns the votes of the validator's aggregate. If the set is empty, the validator sends no message.
   *
   * @param verified votes that the validator has verified, including its own vote if it cast one; lent for the call.
   */
  aggregate(verified: MemberSet): MemberSet;
  /**
   * Returns the rank that the validator, as a collector, gives an aggregate. The collector keeps the aggregate with the
   * highest rank from each subcommittee.
   *
   * @param author place of the aggregator.
   * @param weight number of votes.
   */
  rank(author: number, weight: number): number;
}

/**
 * Returns the role of an honest validator, which aggregates every vote that it has verified and collects the heaviest
 * aggregates (Horn: "Collectors").
 */
export function honestRole(clock: SlotClock): ValidatorRole {
  return { clock, collection: 'best', aggregate: (verified) => verified, rank: (_, weight) => weight };
}

/** Value that stands for no aggregate in {@link keepBest}. */
export const noAggregate = -1;

/**
 * Keeps the best aggregate of a subcommittee. Of two aggregates with equal rank, the function keeps the earlier one.
 *
 * @param best number of each subcommittee's best aggregate so far, or {@link noAggregate}; changed in place.
 * @param rankOf returns the rank of the aggregate with a given number.
 */
export function keepBest(
  best: Int32Array,
  subcommittee: number,
  aggregate: number,
  rankOf: (aggregate: number) => number,
): void {
  const before = best[subcommittee]!;
  if (before === noAggregate || rankOf(aggregate) > rankOf(before)) best[subcommittee] = aggregate;
}

/** Functions that build a collection in the caller's representation. */
export interface CollectionParts {
  /** Adds the collector's own vote. */
  joinOwn(): void;
  /** Adds the best aggregate of a subcommittee. */
  join(aggregate: number, subcommittee: number): void;
}

/**
 * Builds a collector's message: one aggregate per subcommittee (Horn: "Collectors"), or the content that a Byzantine
 * role specifies.
 *
 * @param best the array that {@link keepBest} has filled.
 */
export function collect({ collection }: ValidatorRole, best: Int32Array, parts: CollectionParts): void {
  if (collection === 'own-vote') parts.joinOwn();
  if (collection !== 'best') return;
  best.forEach((aggregate, subcommittee) => {
    if (aggregate !== noAggregate) parts.join(aggregate, subcommittee);
  });
}

/** Returns the topic of aggregates: the committee's topic if there are collectors, otherwise the global topic. */
export function topicOfAggregates(collects: boolean): HornTopic {
  return collects ? HornTopic.committee : HornTopic.global;
}
