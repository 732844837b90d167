/**
 * Rules of Horn as functions on sets of members, for simulations of whole slots. {@link collect} and {@link keepBest}
 * choose what an aggregator forwards. {@link isElected} decides an election. {@link emptySet} and related functions
 * handle sets of members. These functions run once per message, so they check no arguments; those of `@tutti/core/horn`
 * do.
 *
 * @example
 * ```js
 * import { addMember, emptySet, hasMember, sizeOf } from '@tutti/core/horn-rules';
 *
 * const members = emptySet(64);
 * for (const member of [3, 40]) addMember(members, member);
 * console.log(sizeOf(members), hasMember(members, 40), hasMember(members, 41));
 * ```
 *
 * ```text
 * 2 true false
 * ```
 *
 * @packageDocumentation
 */
export { type KeyTotals, keyTotals, maxMultiplicity, sumOfMultiples } from './contribution/multiplicities.ts';
export { bitAt, bitfieldBytes, setBit } from './horn/bitfields/coding.ts';
export { type BlockRules, type Inclusion, type PackedBlock, packBlock, type VoteSet } from './horn/blockPacking.ts';
export { assignValidators, Duty, electDuties, electionModulus, isElected } from './horn/committees.ts';
export { globalTopicLoad, type TopicLoad } from './horn/globalTopic.ts';
export {
  addMember,
  emptySet,
  hasMember,
  type MemberSet,
  shiftInto,
  sizeBeyond,
  sizeOf,
  union,
} from './horn/memberSet.ts';
export { HornNode, type HornNodeOptions, type HornPort } from './horn/node.ts';
export {
  type CollectionParts,
  type CollectionRule,
  collect,
  HornTopic,
  honestRole,
  keepBest,
  noAggregate,
  topicOfAggregates,
  type ValidatorRole,
} from './horn/rules.ts';
export { drawnIndices, plainMesh } from './horn/slotPlan.ts';
export { type SlotTimes, slotTimes } from './horn/slotTimes.ts';
