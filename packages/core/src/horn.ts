/**
 * Horn, the two-layer aggregation of Ethereum's attestations by Kadianakis and D'Amato. {@link HornNode} is a validator
 * in a slot. This entry point also has the post's parameters, elections and times, encodings of bitfields, and
 * multi-signatures with multiplicities. `@tutti/ethereum` runs whole slots.
 *
 * Simulations of whole slots use the rules as functions on sets of members: {@link keepBest} and {@link collect} choose
 * the aggregates that a collector merges, and {@link isElected} decides whether a member is elected. These rules and
 * the functions on sets, such as {@link addMember}, run once per message, so they do not check their arguments.
 *
 * @example
 * ```js
 * import { defaultHornParameters, hornSizes, probabilityOfNone } from '@tutti/core/horn';
 *
 * const { committee, subcommittee } = hornSizes(defaultHornParameters);
 * console.log(`a committee has ${committee} validators, a subcommittee ${subcommittee}`);
 * const chance = probabilityOfNone({ members: subcommittee, aggregators: defaultHornParameters.aggregators });
 * console.log(`of a billion subcommittees ${(1e9 * chance).toFixed(0)} elect no aggregator`);
 * ```
 *
 * ```text
 * a committee has 32768 validators, a subcommittee 512
 * of a billion subcommittees 87 elect no aggregator
 * ```
 *
 * @packageDocumentation
 */
export {
  type DecodedMultiplicities,
  type KeyGroup,
  type KeyTotals,
  keyTotals,
  type MultiplicityContribution,
  type MultiplicityKernel,
  MultiplicityScheme,
  maxMultiplicity,
  type Subcommittees,
  sumOfMultiples,
} from './contribution/multiplicities.ts';
export { type BlockRules, type Inclusion, type PackedBlock, packBlock, type VoteSet } from './horn/blockPacking.ts';
export {
  type BitfieldCoding,
  bitAt,
  bitfieldBytes,
  runLengthCoding,
  setBit,
  sparseCoding,
} from './horn/coding.ts';
export {
  assignValidators,
  Duty,
  type Election,
  electDuties,
  electionModulus,
  expectedElected,
  isElected,
  probabilityOfNone,
  scaledHornParameters,
} from './horn/committees.ts';
export {
  type DecodedHornMessage,
  decodeHornMessage,
  encodeHornMessage,
  type HornHead,
  hornStatement,
  longestHornMessageBytes,
  type ReadHornHead,
  readHornHead,
} from './horn/message.ts';
export { HornNode, type HornNodeOptions, type HornPort, HornTimer } from './horn/node.ts';
export {
  defaultHornParameters,
  globalTopicLoad,
  type HornParameters,
  type HornPreset,
  type HornSizes,
  type HornSystem,
  hornPresets,
  hornSettings,
  hornSizes,
  hornSystems,
  neverUs,
  type SlotClock,
  type SlotTimes,
  slotClock,
  slotTimes,
  type TopicLoad,
  validateHornParameters,
} from './horn/parameters.ts';
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
export {
  drawnIndices,
  plainMesh,
  planSlot,
  proposerOf,
  receiversOn,
  type SlotPlan,
  type SlotPlanOptions,
  type TopicPlan,
  topicOfPlace,
} from './horn/slotPlan.ts';
export {
  addMember,
  emptySet,
  hasMember,
  type MemberSet,
  removeMember,
  shiftInto,
  sizeBeyond,
  sizeOf,
  union,
} from './memberSet.ts';
