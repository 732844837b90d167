/**
 * Horn, the two-layer aggregation of Ethereum's attestations by Kadianakis and D'Amato: its quantities, its slots
 * played message by message or statistically, on a network of Ethereum's kind too, reward griefing and its remedies.
 *
 * {@link hornTable} computes what Horn's post states; {@link playSlot} plays a slot; {@link playNetworkSlot} plays one
 * on homes' links; {@link playGriefing} plays Eve against a subcommittee's honest voters.
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
  type MultiplicityContribution,
  type MultiplicityKernel,
  MultiplicityScheme,
  type Subcommittees,
} from './contribution/multiplicityScheme.ts';
export type { KeyGroup } from './contribution/multiplicitySum.ts';
export {
  type EveKnowledge,
  type HornAttack,
  type HornAttackShare,
  hornAttackNamed,
  hornAttacks,
} from './horn/attacks.ts';
export { type ChangeBytes, changeBytes } from './horn/bitfields/changes.ts';
export type { BitfieldCoding } from './horn/bitfields/coding.ts';
export { runLengthCoding } from './horn/bitfields/runLength.ts';
export { randomBitfield } from './horn/bitfields/samples.ts';
export { sparseCoding } from './horn/bitfields/sparse.ts';
export { scaledHornParameters } from './horn/committees.ts';
export { type HornSystem, hornSystems } from './horn/costs/globalTopic.ts';
export type { KeySum } from './horn/costs/keySum.ts';
export { batchedMs, type Machine, type MachineName, machineNames, machines } from './horn/costs/machines.ts';
export type { VerificationCosts } from './horn/costs/verification.ts';
export { type Election, expectedElected, probabilityOfNone } from './horn/election.ts';
export { type BesideMarks, besideMarks } from './horn/network/beside.ts';
export {
  type ClientParameters,
  type ClientPreset,
  clientPresetNames,
  clientPresets,
} from './horn/network/client.ts';
export { ethereumGossipsub, type GossipsubParameters } from './horn/network/gossipsub.ts';
export {
  type LinkClass,
  type LinkPreset,
  linkPresetNames,
  linkPresets,
} from './horn/network/linkClasses.ts';
export { heavyTail, type NodeDistribution, type NodeMap, nodeDistributions } from './horn/network/nodeMap.ts';
export {
  checkNetworkScenario,
  defaultNetworkScenario,
  type NetworkScenario,
  systemOf,
  validatorsOf,
} from './horn/network/scenario.ts';
export {
  type Gathering,
  type Inclusion,
  type PostQuantumCosts,
  postQuantumCosts,
  type VotingSystem,
  type VotingSystemName,
  votingSystemNames,
  votingSystems,
} from './horn/network/systems.ts';
export {
  aggregateAndProofBytes,
  singleAttestationBytes,
  snappyBitfieldBytes,
} from './horn/network/wireBytes.ts';
export {
  checkHornParameters,
  defaultHornParameters,
  type HornParameters,
  type HornPreset,
  type HornSizes,
  hornPresets,
  hornSizes,
} from './horn/parameters.ts';
export {
  type Alternative,
  type PlayedAlternatives,
  playAlternatives,
  type VerifierCosts,
} from './horn/play/alternatives.ts';
export { type ExpectedLoss, expectedLoss } from './horn/play/expectedLoss.ts';
export { type Forwarded, type ForwardingName, forwardingNames, forwardingSchemes } from './horn/play/forwarding.ts';
export { honestLossShare, type LossShare, singleVoteLossShare } from './horn/play/lossShare.ts';
export type { MeanEstimate } from './horn/play/meanEstimate.ts';
export type { MemberSet } from './horn/play/memberSet.ts';
export {
  type Collection,
  type GriefingLosses,
  type GriefingOutcome,
  type GriefingPlay,
  type OnCollections,
  playGriefing,
} from './horn/play/playGriefing.ts';
export type { GriefingOdds } from './horn/play/subcommittee.ts';
export type { CollectionRule, ValidatorRole } from './horn/rules.ts';
export { type SlotClock, slotClock } from './horn/slotClock.ts';
export type { HornGrid, HornRow, HornTable } from './horn/tables/row.ts';
export { hornTable, hornTableNames } from './horn/tables/tables.ts';
export { type LossName, type LostVotes, lossNames } from './simulation/horn/lostVotes.ts';
export type { Burden, SlotBacklog } from './simulation/horn/network/burdens.ts';
export {
  type ChainOptions,
  type ChainResult,
  defaultChainOptions,
  playChain,
} from './simulation/horn/network/chain.ts';
export {
  type NetworkSlot,
  type NetworkSlotOptions,
  type NetworkSlotResult,
  playNetworkSlot,
  playNetworkSlots,
} from './simulation/horn/network/networkSlot.ts';
export { type NetworkWorld, placeNodes, type Subcommittee } from './simulation/horn/network/networkWorld.ts';
export {
  type Layer,
  type LayerDelay,
  type LayerLoad,
  layers,
  type PlayedSlot,
  type PublishedSet,
} from './simulation/horn/network/playedSlot.ts';
export { defaultSampleSizes, type SampleSizes } from './simulation/horn/network/statisticallyPlayed.ts';
export { type TopicSteps, topicSteps } from './simulation/horn/network/topicSteps.ts';
export { createSlot, playSlot, type Slot, type SlotMode, type SlotOptions, slotModes } from './simulation/horn/slot.ts';
export { type RecordedSets, type SlotRecording, votesOverTime } from './simulation/horn/slotRecording.ts';
export type { NodeMean, SlotResult, TopicTraffic } from './simulation/horn/slotResult.ts';
export { defaultSlotScenario, type SlotScenario } from './simulation/horn/slotScenario.ts';
export { neverStep, type SlotSteps, type StagedVotes, slotSteps } from './simulation/horn/slotSteps.ts';
