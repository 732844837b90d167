/**
 * Runs of a protocol under virtual time: one scenario and one seed give one run, to the byte, in Node and in a browser.
 *
 * {@link simulate} runs a scenario to its end; {@link createSimulation} steps through it. A scenario is data: {@link
 * defaultScenario} has every field, `docs/schemas.md` says what each means. Either takes extensions of your own: what
 * makes the nodes, an attack, a matrix of latencies, a fault, a checker. A run can be recorded, replayed and exported.
 *
 * @example
 * ```js
 * import { defaultScenario, simulate } from '@tutti/core/simulation';
 *
 * const { reached, live, timeToThresholdMs } = simulate({ ...defaultScenario, nodes: 256, seed: 7 });
 * console.log(`${reached} of ${live} hold 99 % after ${timeToThresholdMs.mean.toFixed(0)} ms in the mean`);
 * ```
 *
 * ```text
 * 256 of 256 hold 99 % after 275 ms in the mean
 * ```
 *
 * @packageDocumentation
 */
export { badChoice, badText, choiceText, durationText, integerText, numberText, type TextReader } from './fieldText.ts';
export { awsOneWayUs, awsRegions } from './simulation/awsLatency.ts';
export { configOf } from './simulation/configOf.ts';
export type { CpuSettings } from './simulation/cpu.ts';
export {
  type Desk,
  type DeskCheck,
  type DeskItem,
  type DeskLevel,
  type DeskPlace,
  DeskReplay,
  type DeskVerdict,
} from './simulation/desk.ts';
export { drawOnGlobe } from './simulation/distanceNetwork.ts';
export { type PerfettoOptions, perfettoTrace } from './simulation/export/perfetto.ts';
export { type ShivizOptions, shivizLog, shivizParser } from './simulation/export/shiviz.ts';
export type { Extensions, NodeSetting, OwnChecker } from './simulation/extensions.ts';
export { checkFaults, faultKinds } from './simulation/faults/check.ts';
export { type GenerateOptions, generateFaults } from './simulation/faults/generate.ts';
export { type Fate, LinkFates } from './simulation/faults/linkFates.ts';
export {
  faultsByNode,
  type NodeFaults,
  type Outage,
  type OutageKind,
  outageKinds,
  type Slowness,
} from './simulation/faults/nodeFaults.ts';
export type {
  Corruption,
  Crash,
  Drift,
  Duplication,
  Fault,
  FaultKind,
  Loss,
  NodeSet,
  Partition,
  Pause,
  Reordering,
  Restart,
  Skew,
  SlowLinks,
  SlowNodes,
} from './simulation/faults/plan.ts';
export type { HonestNodes } from './simulation/honest.ts';
export { Jitter } from './simulation/jitter.ts';
export { type LatencyMatrix, matrixNetwork } from './simulation/matrixNetwork.ts';
export { createNetwork, networkForms, networkText } from './simulation/network.ts';
export type { NetworkModel } from './simulation/networkModel.ts';
export type { SimulationHost } from './simulation/ports.ts';
export {
  LineKind,
  NodeRole,
  type RecordedLines,
  type RecordedWorld,
  type Recording,
  type RecordingOptions,
} from './simulation/recording.ts';
export { decodeRecording, encodeRecording, mostRecordingBytes } from './simulation/recordingFile.ts';
export { type ReferenceQuirk, referenceQuirks } from './simulation/referenceQuirks.ts';
export type { OwnMeasures, RunEnd, RunResult, Spread } from './simulation/result.ts';
export { RunMemory } from './simulation/runMemory.ts';
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
  withPresentNames,
} from './simulation/scenario.ts';
export { type ScenarioField, scenarioArguments, scenarioFields } from './simulation/scenarioFields.ts';
export {
  decodeScenario,
  encodeScenario,
  type LinkedScenario,
  type LinkParameters,
  linkedScenario,
} from './simulation/scenarioLink.ts';
export {
  createSimulation,
  type SimulatedScheme,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './simulation/simulation.ts';
