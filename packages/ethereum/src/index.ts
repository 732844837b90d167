/**
 * Slots of Horn, of today's Ethereum and of other proposals, simulated message by message or from a sample, also on a
 * network like Ethereum's. The package also simulates reward griefing with its remedies, and computes the figures that
 * Horn's post states.
 *
 * {@link createSlot} creates a slot that the caller advances; {@link runNetworkSlot} runs one on a network with home
 * links. {@link sampleGriefing} simulates Eve's attack on a subcommittee's honest voters; {@link hornTable} computes
 * the post's figures.
 *
 * @example
 * ```js
 * import { defaultHornParameters, scaledHornParameters } from '@tutti/core/horn';
 * import { createSlot, defaultSlotScenario } from '@tutti/ethereum';
 *
 * const parameters = scaledHornParameters(2 ** 14, defaultHornParameters);
 * const slot = createSlot({ ...defaultSlotScenario, parameters });
 * while (slot.advance(1000));
 * const { reached, live, timeToThresholdMs } = slot.result();
 * console.log(`${reached} of ${live} know 99 % of the votes after ${timeToThresholdMs.mean.toFixed(0)} ms on average`);
 * ```
 *
 * ```text
 * 16384 of 16384 know 99 % of the votes after 12156 ms on average
 * ```
 *
 * @packageDocumentation
 */
export {
  type EveKnowledge,
  type HornAttack,
  type HornAttackShare,
  hornAttackNamed,
  hornAttacks,
} from './horn/attacks.ts';
export { type ChangeBytes, type ChangeSample, changeBytes, randomBitfield } from './horn/bitfields.ts';
export {
  type BandwidthRatios,
  batchedMs,
  type KeySum,
  keysUs,
  type Machine,
  type MachineName,
  machineNames,
  machines,
  type VerificationCosts,
} from './horn/costs.ts';
export {
  type ClientParameters,
  type ClientPreset,
  type ClientShare,
  clientPresetNames,
  clientPresets,
} from './horn/network/client.ts';
export { type Bundles, ethereumGossipsub, type GossipsubParameters } from './horn/network/gossipsub.ts';
export {
  heavyTail,
  type Lateness,
  type LateShare,
  type LinkClass,
  type LinkPreset,
  linkPresetNames,
  linkPresets,
  type NodeDistribution,
  type NodeMap,
  nodeDistributions,
} from './horn/network/nodes.ts';
export {
  defaultNetworkScenario,
  inProportion,
  type NetworkScenario,
  type Proposal,
  type ProposalName,
  proposalNames,
  proposals,
  systemOf,
  validateNetworkScenario,
  withProposals,
} from './horn/network/scenario.ts';
export {
  type Gathering,
  type VotingSystem,
  type VotingSystemName,
  votingSystemNames,
  votingSystems,
} from './horn/network/systems.ts';
export {
  type Alternative,
  type SampledAlternatives,
  sampleAlternatives,
  type VerifierCosts,
} from './horn/sample/alternatives.ts';
export { type ExpectedLoss, expectedLoss } from './horn/sample/expectedLoss.ts';
export { type Forwarded, type ForwardingName, forwardingNames, forwardingSchemes } from './horn/sample/forwarding.ts';
export {
  type Collection,
  type GriefingLosses,
  type GriefingOdds,
  type GriefingOutcome,
  type GriefingSample,
  honestLossShare,
  type LossShare,
  type OnCollections,
  sampleGriefing,
  singleVoteLossShare,
} from './horn/sample/griefing.ts';
export type { HornGrid, HornRow, HornTable } from './horn/tables/row.ts';
export { hornTable, hornTableNames } from './horn/tables/tables.ts';
export { type LossName, type LostVotes, lossNames } from './slots/lostVotes.ts';
export {
  type ChainOptions,
  type ChainResult,
  chainSettings,
  defaultChainOptions,
  runChain,
} from './slots/network/chain.ts';
export { defaultSampleSizes, type SampleSizes } from './slots/network/layerSamples.ts';
export type { Burden, LayerLoad, SlotBacklog } from './slots/network/loads.ts';
export { type MeshExperiment, type MeshSlot, runMeshExperiment } from './slots/network/meshExperiment.ts';
export { aggregateAndProofBytes, singleAttestationBytes, snappyBitfieldBytes } from './slots/network/messageKinds.ts';
export {
  type NetworkSlot,
  type NetworkSlotOptions,
  type NetworkSlotResult,
  proposerShares,
  runNetworkSlot,
  runNetworkSlots,
} from './slots/network/networkSlot.ts';
export { type NetworkWorld, type PostRules, placeNodes, type Subcommittee } from './slots/network/networkWorld.ts';
export type { ProposerReach, ProposerShares } from './slots/network/proposerReach.ts';
export type { SlotRoles } from './slots/network/roles.ts';
export {
  arrivalQuantiles,
  type Layer,
  type LayerDelay,
  layers,
  type PublishedSet,
  type SlotRun,
  type SlotWatch,
  type SubnetArrivals,
} from './slots/network/slotRun.ts';
export { type TopicSteps, topicSteps } from './slots/network/topicSteps.ts';
export { type PlannedSlotOptions, runPlannedSlot } from './slots/postWorld.ts';
export { createSlot, type Slot, type SlotOptions } from './slots/slot.ts';
export { type SlotTopic, slotTopics } from './slots/slotLog.ts';
export {
  type NodeMean,
  type RecordedSets,
  type SlotMode,
  type SlotRecording,
  type SlotResult,
  slotModes,
  type TopicTraffic,
} from './slots/slotResult.ts';
export { defaultSlotScenario, type SlotScenario } from './slots/slotScenario.ts';
export { neverStep, type SlotSteps, type StagedVotes, slotSteps } from './slots/slotSteps.ts';
export { isAbove, type MeanEstimate, type Summary, summaryOf } from './statistics.ts';
