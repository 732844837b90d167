export type { Attack, AttackSetting, ByzantinePort, Coalition } from './adversary/attack.ts';
export { attackNamed, attacks } from './adversary/attacks.ts';
export { compositionForm, readComposition } from './adversary/composition.ts';
export { isHonestFirst, oddsOfHonestFirst } from './adversary/firstPlaces.ts';
export { worstFinds } from './adversary/worstFinds.ts';
export { checkSetupConfig, defaultSetupConfig, type SetupConfig } from './anonymous/config.ts';
export { NOBODY } from './anonymous/nobody.ts';
export { ANSWER, SetupMessage, SetupNode, type SetupOptions, type SetupRefusal } from './anonymous/node.ts';
export { type PlainRegistration, PlainRegistrations } from './anonymous/plainScheme.ts';
export { type DoubleRegistration, type Enrolment, Roll } from './anonymous/roll.ts';
export type { RegistrationRelation, RegistrationScheme } from './anonymous/scheme.ts';
export type { GraphVerification } from './baselines/completeGraph.ts';
export { BitsetScheme } from './contribution/bitsetScheme.ts';
export { CountingScheme } from './contribution/countingScheme.ts';
export {
  type DecodedMultiplicities,
  type MultiplicityContribution,
  type MultiplicityKernel,
  MultiplicityScheme,
  type Subcommittees,
} from './contribution/multiplicityScheme.ts';
export type { KeyGroup } from './contribution/multiplicitySum.ts';
export {
  type Claim,
  type MultiSignatureOptions,
  MultiSignatureScheme,
  type SignatureKernel,
  type SignatureVerifier,
} from './contribution/multiSignatureScheme.ts';
export type { AggregationScheme, DecodedContribution, ForgingScheme } from './contribution/scheme.ts';
export {
  type Desk,
  type DeskCheck,
  type DeskItem,
  type DeskLevel,
  type DeskPlace,
  DeskReplay,
  type DeskVerdict,
} from './experiments/desk.ts';
export {
  type Axis,
  type Chart,
  type Curve,
  type Experiment,
  type Extent,
  extents,
  type Sample,
  type Series,
  type Verdict,
} from './experiments/experiment.ts';
export { experiments } from './experiments/experiments.ts';
export {
  type DrawnChart,
  type DrawnPoint,
  type DrawnSeries,
  drawFigure,
  Figure,
  scenariosFor,
} from './experiments/figure.ts';
export { type Fit, fitLine } from './experiments/fit.ts';
export type { Measure } from './experiments/measures.ts';
export type { PublishedPoint } from './experiments/published.ts';
export { type RaceRun, raceMarks, racers, raceScenario, runRace } from './experiments/race.ts';
export { type TwinParameters, twinParameters, twinScenario } from './experiments/twin.ts';
export { badText, choiceText, durationText, integerText, numberText, type TextReader } from './fieldText.ts';
export {
  type ContactRule,
  defaultHandelConfig,
  type FixedWindow,
  type HandelConfig,
  type Mechanism,
  mechanisms,
  paperWindow,
  type RelativeWindow,
  relativeWindow,
  type WindowConfig,
} from './handel/config.ts';
export { HandelMemory, type HandelMemoryOptions } from './handel/memory.ts';
export { HandelNode, type HandelOptions } from './handel/node.ts';
export { nextWindowSize, type WindowRanks, windowRanks } from './handel/window.ts';
export { type HornAttack, hornAttackNamed, hornAttacks } from './horn/attacks.ts';
export type { BitfieldCoding } from './horn/bitfields/coding.ts';
export { runLengthCoding } from './horn/bitfields/runLength.ts';
export { randomBitfield } from './horn/bitfields/samples.ts';
export { sparseCoding } from './horn/bitfields/sparse.ts';
export { scaledHornParameters } from './horn/committees.ts';
export { type HornSystem, hornSystems } from './horn/costs/globalTopic.ts';
export { batchedMs, type Machine, type MachineName, machineNames, machines } from './horn/costs/machines.ts';
export type { VerificationCosts } from './horn/costs/verification.ts';
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
export { type ForwardingName, forwardingNames, forwardingSchemes } from './horn/play/forwarding.ts';
export { honestLossShare, type LossShare, singleVoteLossShare } from './horn/play/lossShare.ts';
export type { MeanEstimate } from './horn/play/meanEstimate.ts';
export {
  type GriefingLosses,
  type GriefingOutcome,
  type GriefingPlay,
  playGriefing,
} from './horn/play/playGriefing.ts';
export type { GriefingOdds } from './horn/play/subcommittee.ts';
export { type SlotClock, slotClock } from './horn/slotClock.ts';
export type { HornGrid, HornRow, HornTable } from './horn/tables/row.ts';
export { hornTable, hornTableNames } from './horn/tables/tables.ts';
export { IndependentPriorities } from './overlay/independentPriorities.ts';
export { ShiftedPriorities } from './overlay/shiftedPriorities.ts';
export { invert, shuffle, shuffleBy } from './overlay/shuffle.ts';
export { type Branching, branchings, levelCount, type PeerSet, peerSet, Tree, type TreeForm } from './overlay/tree.ts';
export type { VerificationPriorities } from './overlay/verificationPriority.ts';
export {
  type Contribution,
  largestBatch,
  MessageFlag,
  NONE,
  type Port,
  type ProtocolNode,
  Refusal,
  refusalName,
  TraceKind,
} from './protocol.ts';
export { RandomStream } from './random.ts';
export {
  AttackSearch,
  type AttackSearchOptions,
  searchPatienceMs,
  type Tried,
  triedAs,
} from './simulation/attackSearch/attackSearch.ts';
export { awsOneWayUs, awsRegions } from './simulation/awsLatency.ts';
export { CheckFailed, type ClaimName, claims } from './simulation/checkers/claims.ts';
export type { CpuSettings } from './simulation/cpu.ts';
export {
  type BrokenClaim,
  createExplorer,
  type Exploration,
  type Explorer,
  explore,
} from './simulation/explorer/explorer.ts';
export type { ExplorerOptions } from './simulation/explorer/setting.ts';
export { type PerfettoOptions, perfettoTrace } from './simulation/export/perfetto.ts';
export { type ShivizOptions, shivizLog, shivizParser } from './simulation/export/shiviz.ts';
export { checkFaults, faultKinds } from './simulation/faults/check.ts';
export { type GenerateOptions, generateFaults } from './simulation/faults/generate.ts';
export { type Fate, LinkFates } from './simulation/faults/linkFates.ts';
export { faultsByNode, type NodeFaults, type Outage, type OutageKind } from './simulation/faults/nodeFaults.ts';
export { type Fault, type FaultKind, healedAtMs, type NodeSet } from './simulation/faults/plan.ts';
export { type ShrinkOptions, type Shrunk, shrink } from './simulation/faults/shrink.ts';
export type { Habit } from './simulation/habits.ts';
export { type LossName, type LostVotes, lossNames } from './simulation/horn/lostVotes.ts';
export { createSlot, playSlot, type Slot, type SlotMode, type SlotOptions, slotModes } from './simulation/horn/slot.ts';
export { type RecordedSets, type SlotRecording, votesOverTime } from './simulation/horn/slotRecording.ts';
export type { SlotResult, TopicTraffic } from './simulation/horn/slotResult.ts';
export { defaultSlotScenario, type SlotScenario } from './simulation/horn/slotScenario.ts';
export { Jitter } from './simulation/jitter.ts';
export { createNetwork, networkForms } from './simulation/network.ts';
export type { NetworkModel } from './simulation/networkModel.ts';
export {
  LineKind,
  NodeRole,
  type RecordedLines,
  type RecordedWorld,
  type Recording,
  type RecordingOptions,
} from './simulation/recording.ts';
export { decodeRecording, encodeRecording } from './simulation/recordingFile.ts';
export type { OwnMeasures, RunEnd, RunResult, Spread } from './simulation/result.ts';
export {
  type AttackShare,
  type CompleteGraphSettings,
  checkScenario,
  defaultScenario,
  type GossipSettings,
  type ProtocolName,
  protocolNames,
  type SanFerminSettings,
  type Scenario,
} from './simulation/scenario.ts';
export { type ScenarioField, scenarioArguments, scenarioFields } from './simulation/scenarioFields.ts';
export { decodeScenario, encodeScenario, type LinkedScenario, linkedScenario } from './simulation/scenarioLink.ts';
export {
  defaultSetupScenario,
  type SetupResult,
  type SetupScenario,
  simulateSetup,
} from './simulation/setup/setup.ts';
export {
  createSimulation,
  type SimulatedScheme,
  Simulation,
  type SimulationOptions,
  simulate,
} from './simulation/simulation.ts';
export { randomScenario, type SwarmOptions } from './simulation/swarm/draw.ts';
export { type Broken, hunt, shrinkBroken, tryScenario } from './simulation/swarm/hunt.ts';
export { version } from './version.ts';
export {
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  longestMessageBytes,
  messageBytes,
  type WireRefusal,
} from './wire/message.ts';
