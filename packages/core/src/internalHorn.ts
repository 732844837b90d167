/**
 * What this project's other packages take of Horn's nodes and rules that is no part of core's API: apart from
 * `internal`, so that whoever only runs Handel loads none of it.
 *
 * @internal
 */
export { bitAt, bitfieldBytes, setBit } from './horn/bitfields/coding.ts';
export { assignValidators } from './horn/committees.ts';
export { Duty, electDuties } from './horn/duties.ts';
export { electionModulus, isElected } from './horn/election.ts';
export { globalTopicLoad } from './horn/globalTopic.ts';
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
export { hornSettings } from './horn/parameters.ts';
export {
  type CollectionRule,
  collect,
  HornTopic,
  honestRole,
  keepBest,
  noAggregate,
  topicOfAggregates,
  type ValidatorRole,
} from './horn/rules.ts';
export { slotTimes } from './horn/slotTimes.ts';
