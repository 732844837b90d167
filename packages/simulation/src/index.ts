/**
 * Simulation of a protocol under virtual time: one scenario and one seed produce the same run, byte for byte, in Node
 * and in a browser.
 *
 * {@link simulate} runs a scenario to its end; {@link createSimulation} steps through it. A scenario is data:
 * {@link defaultScenario} contains every field, and `docs/reference/scenario-schema.md` describes the fields.
 * {@link simulate} and {@link createSimulation} accept extensions: your own nodes, attacks, latency matrix, faults and
 * checkers. A run can be recorded, replayed and exported.
 *
 * An {@link Attack} wraps the ports and nodes of Byzantine nodes; the honest code does not know about the attack.
 * {@link attacks} lists all attacks. {@link readPlan} reads a plan in the notation of scenarios;
 * `@tutti/simulation/checks` searches for the plan that delays honest nodes most.
 *
 * @example
 * ```js
 * import { defaultScenario, simulate } from '@tutti/simulation';
 *
 * const { reached, live, timeToThresholdMs } = simulate({ ...defaultScenario, nodes: 256, seed: 7 });
 * console.log(`${reached} of ${live} hold 99 % after ${timeToThresholdMs.mean.toFixed(0)} ms on average`);
 * ```
 *
 * ```text
 * 256 of 256 hold 99 % after 274 ms on average
 * ```
 *
 * @packageDocumentation
 */
export type { ExplainedChoice, ExplainedLevel, Explanation } from '@tutti/core/packed';
export type {
  Attack,
  AttackSetting,
  ByzantinePort,
  Coalition,
  HonestRules,
  PlacementSetting,
} from './attacks/attack.ts';
export { attackNamed, attacks, choosesIds, delayBoundMs } from './attacks/attacks.ts';
export { isolatePlan } from './attacks/composedAttacks.ts';
export {
  type AttackPlan,
  type Composition,
  type Part,
  readComposition,
  readPlan,
  type Schedule,
  worstFinds,
} from './attacks/composition.ts';
export type { Placement, Stretch } from './attacks/placement.ts';
export { type WireRound, wireAttacks, wireSetting } from './attacks/wire.ts';
export type { CpuSettings } from './engine/cpu.ts';
export { drawOnGlobe } from './engine/network/distanceNetwork.ts';
export { type LatencyMatrix, matrixNetwork } from './engine/network/matrixNetwork.ts';
export {
  awsOneWayUs,
  awsRegions,
  createNetwork,
  loadNetwork,
  networkForms,
  validateNetwork,
} from './engine/network/network.ts';
export { Jitter, type NetworkModel } from './engine/network/networkModel.ts';
export { RunMemory } from './engine/runMemory.ts';
export { type GenerateOptions, generateFaults } from './faults/generate.ts';
export { type Fate, LinkFates } from './faults/linkFaults.ts';
export {
  faultsByNode,
  type NodeFaults,
  type Outage,
  type OutageKind,
  outageKinds,
  type Slowness,
} from './faults/nodeFaults.ts';
export { type PerfettoOptions, perfettoTrace } from './recording/export/perfetto.ts';
export { type ShivizOptions, shivizLog, shivizParser } from './recording/export/shiviz.ts';
export {
  LineKind,
  NodeRole,
  type RecordedLines,
  type RecordedWorld,
  type Recording,
  type RecordingOptions,
} from './recording/recording.ts';
export { decodeRecording, encodeRecording, maxRecordingBytes } from './recording/recordingFile.ts';
export {
  type QueueCheck,
  type QueueItem,
  type QueueLevel,
  type QueuePlace,
  QueueReplay,
  type QueueVerdict,
  type VerificationQueue,
} from './replay/queue.ts';
export type { SimulationHost } from './run/ports.ts';
export type { NodeResult } from './run/runResult.ts';
export { createSimulation, type Simulation, simulate } from './run/simulation.ts';
export {
  type Corruption,
  type Crash,
  type Drift,
  type Duplication,
  type Fault,
  type FaultKind,
  faultKinds,
  type Loss,
  type NodeSet,
  type Partition,
  type Pause,
  type Reordering,
  type Restart,
  type Skew,
  type SlowLinks,
  type SlowNodes,
  validateFaults,
} from './scenario/faultPlan.ts';
export { type ScenarioPreset, scenarioPresets } from './scenario/presets.ts';
export { type Protocol, protocols } from './scenario/protocols.ts';
export type { OwnMeasures, RunEnd, RunPercentiles, RunResult, Spread } from './scenario/result.ts';
export {
  type AttackShare,
  type CompleteGraphSettings,
  defaultScenario,
  type GossipSettings,
  type ProtocolName,
  protocolNames,
  type SanFerminSettings,
  type Scenario,
  validateScenario,
  withoutFormerFields,
} from './scenario/scenario.ts';
export { type ScenarioField, scenarioArguments, scenarioFields } from './scenario/scenarioFields.ts';
export {
  decodeScenario,
  encodeScenario,
  type LinkedScenario,
  type LinkParameters,
  linkedScenario,
} from './scenario/scenarioLink.ts';
export type { FieldGroup } from './scenario/scenarioTable.ts';
export {
  confidenceInterval,
  type Fit,
  fitLine,
  type Interval,
  nearestRank,
  type Percentiles,
  percentile,
  percentiles,
} from './statistics/statistics.ts';
export type {
  Extensions,
  MessageBytes,
  NodeWrapper,
  OwnChecker,
  SimulatedScheme,
  SimulationOptions,
} from './world/extensions.ts';
export { configOf, type HonestNodes, type NodeSetting } from './world/honest.ts';
export { validateLiveNodes } from './world/world.ts';
