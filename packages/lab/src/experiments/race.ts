import {
  createSimulation,
  defaultScenario,
  LineKind,
  type ProtocolName,
  protocolNames,
  protocols,
  type Recording,
  type Scenario,
} from '@tutti/simulation';

/** A protocol in its default form, or the complete graph that adds up received contributions and verifies the sum. */
export type RaceProtocol = ProtocolName | 'complete-graph-bulk';

/** Compared protocols, in the order of their display. */
export const raceProtocols: readonly RaceProtocol[] = [
  ...[...protocolNames].sort((a, b) => protocols[a].lane - protocols[b].lane),
  'complete-graph-bulk',
];

/** Returns the powers of two, starting with 2, that are less than the threshold, followed by the threshold. */
export function doublings(threshold: number): readonly number[] {
  const weights: number[] = [];
  for (let weight = 2; weight < threshold; weight *= 2) weights.push(weight);
  return [...weights, threshold];
}

/** The stored race of one protocol: the weight of each node over time, and the costs. */
export interface RaceRun {
  readonly scenario: Scenario;
  readonly digest: string;
  readonly live: number;
  readonly reached: number;
  /** Time at which the last node reached the threshold, ms; 0 if no node reached it. */
  readonly lastMs: number;
  readonly meanMs: number;
  /** Means over the live nodes. */
  readonly bytesSent: number;
  readonly messagesSent: number;
  readonly checked: number;
  /** Weights whose times are recorded. */
  readonly marks: readonly number[];
  /** Time at which a node reached each weight: `marksUs[node * marks.length + k]` for `marks[k]`, µs; -1 for never. */
  readonly marksUs: Int32Array;
  /** Time at which each node starts, µs; -1 for a node that never starts. */
  readonly startUs: Int32Array;
  /** Role of each node, a `NodeRole`. */
  readonly role: Uint8Array;
}

/**
 * Returns the race's scenario for a protocol: the paper's network and parameters, one seed, and the same nodes for all
 * protocols.
 *
 * @param dead share of dead nodes.
 * @param byzantine number of nodes that send invalid contributions.
 */
export function raceScenario(protocol: RaceProtocol, nodes: number, dead = 0, byzantine = 0): Scenario {
  const attacks = byzantine === 0 ? [] : [{ name: 'invalid', share: byzantine / nodes } as const];
  const scenario = { ...defaultScenario, nodes, dead, attacks };
  if (protocol !== 'complete-graph-bulk') return { ...scenario, protocol };
  const completeGraph = { ...defaultScenario.completeGraph, verification: 'bulk' } as const;
  return { ...scenario, protocol: 'complete-graph', completeGraph };
}

/**
 * Simulates one protocol's race.
 *
 * @param look called from time to time with the virtual time, µs; an exception ends the run early.
 * @param marksFor returns the weights whose times are recorded, ascending, for a threshold. Default: {@link doublings}.
 */
export function runRace(
  scenario: Scenario,
  look: (nowUs: number) => void = () => {},
  marksFor: (threshold: number) => readonly number[] = doublings,
): RaceRun {
  const simulation = createSimulation(scenario, { record: { sends: false } });
  while (simulation.advance(65_536)) look(simulation.nowUs);
  const { digest, live, reached, timeToThresholdMs, bytesSent, messagesSent, checked } = simulation.result();
  const recording = simulation.recording();
  const marks = marksFor(recording.world.threshold);
  return {
    scenario,
    digest,
    live,
    reached,
    lastMs: timeToThresholdMs.max,
    meanMs: timeToThresholdMs.mean,
    bytesSent: bytesSent.mean,
    messagesSent: messagesSent.mean,
    checked: checked.mean,
    marks,
    marksUs: marksOf(recording, marks),
    startUs: Int32Array.from(recording.world.startUs),
    role: Uint8Array.from(recording.world.role),
  };
}

/**
 * Returns the times at which each node reached each weight. In protocols with levels, nodes report the weight of each
 * level. In other protocols, an output gives the total, and each successful check adds the weight of the checked
 * contribution if contributions are disjoint, and otherwise 1.
 *
 * @param marks weights, ascending.
 */
function marksOf(recording: Recording, marks: readonly number[]): Int32Array {
  const { length, kind, node, level, value, timeUs, untilUs, world, scenario } = recording;
  const { nodes, levels } = world;
  // Aggregates of gossip overlap.
  const isDisjoint = scenario.protocol === 'complete-graph';
  const byLevels = kind.includes(LineKind.improve);
  const atUs = (line: number) => (kind[line] === LineKind.check ? untilUs[line]! : timeUs[line]!);
  // Lines after which a node's weight may be greater.
  const steps: number[] = [];
  for (let line = 0; line < length; line++) {
    const what = kind[line];
    const isGain = !byLevels && what === LineKind.check && value[line]! > 0 && untilUs[line]! >= 0;
    if (isGain || what === LineKind.improve || what === LineKind.output) steps.push(line);
  }
  steps.sort((a, b) => atUs(a) - atUs(b));

  const marksUs = new Int32Array(nodes * marks.length).fill(-1);
  const marked = new Uint8Array(nodes);
  const held = new Int32Array(nodes).fill(1);
  const inLevel = new Int32Array(byLevels ? nodes * (levels + 1) : 0);
  for (const line of steps) {
    const id = node[line]!;
    if (kind[line] === LineKind.check) held[id]! += isDisjoint ? value[line]! : 1;
    else if (kind[line] === LineKind.output) held[id] = Math.max(held[id]!, value[line]!);
    else {
      const slot = id * (levels + 1) + level[line]!;
      held[id]! += value[line]! - inLevel[slot]!;
      inLevel[slot] = value[line]!;
    }
    while (marked[id]! < marks.length && held[id]! >= marks[marked[id]!]!)
      marksUs[id * marks.length + marked[id]!++] = atUs(line);
  }
  return marksUs;
}
