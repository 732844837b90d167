/**
 * Horn, the two-layer aggregation of Ethereum's attestations by Kadianakis and D'Amato. {@link HornNode} is a validator
 * in a slot. This entry point also has the post's parameters, elections and times, codings of bitfields, and
 * multi-signatures with multiplicities. `@tutti/ethereum` runs whole slots.
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

export type { KeyGroup } from './contribution/multiplicities.ts';
export {
  type DecodedMultiplicities,
  type MultiplicityContribution,
  type MultiplicityKernel,
  MultiplicityScheme,
  type Subcommittees,
} from './contribution/multiplicities.ts';
export type { BitfieldCoding } from './horn/bitfields/coding.ts';
export { runLengthCoding } from './horn/bitfields/coding.ts';
export { sparseCoding } from './horn/bitfields/sparse.ts';
export {
  assignValidators,
  Duty,
  type Election,
  electDuties,
  expectedElected,
  probabilityOfNone,
  scaledHornParameters,
} from './horn/committees.ts';
export { type HornSystem, hornSystems } from './horn/globalTopic.ts';
export type { MemberSet } from './horn/memberSet.ts';
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
export { HornNode, type HornNodeOptions, type HornPort } from './horn/node.ts';
export {
  defaultHornParameters,
  type HornParameters,
  type HornPreset,
  type HornSizes,
  hornPresets,
  hornSizes,
  validateHornParameters,
} from './horn/parameters.ts';
export { type CollectionRule, HornTopic, type ValidatorRole } from './horn/rules.ts';
export {
  planSlot,
  proposerOf,
  receiversOn,
  type SlotPlan,
  type SlotPlanOptions,
  type TopicPlan,
  topicOfPlace,
} from './horn/slotPlan.ts';
export { type SlotClock, slotClock } from './horn/slotTimes.ts';
