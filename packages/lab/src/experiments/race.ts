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

/** A protocol as it is usually described, or the complete graph that adds up what has come and verifies the sum. */
export type RaceProtocol = ProtocolName | 'complete-graph-bulk';

/** Who runs against whom, in the order in which they are shown. */
export const raceProtocols: readonly RaceProtocol[] = [
  ...[...protocolNames].sort((a, b) => protocols[a].lane - protocols[b].lane),
  'complete-graph-bulk',
];

/** The weights at which a node has doubled once more what it holds, from 2 on; the last is the threshold. */
export function doublings(threshold: number): readonly number[] {
  const weights: number[] = [];
  for (let weight = 2; weight < threshold; weight *= 2) weights.push(weight);
  return [...weights, threshold];
}

/** One protocol's race as it is stored: who held how much when, and what it cost. */
export interface RaceRun {
  readonly scenario: Scenario;
  readonly digest: string;
  readonly live: number;
  readonly reached: number;
  /** Of the last node that reached the threshold; 0 if none did. */
  readonly lastMs: number;
  readonly meanMs: number;
  /** Means over the live nodes. */
  readonly bytesSent: number;
  readonly messagesSent: number;
  readonly checked: number;
  /** The weights whose times are marked. */
  readonly marks: readonly number[];
  /** `marksUs[node * marks.length + k]`: when the node held `marks[k]`, µs; -1 for never. */
  readonly marksUs: Int32Array;
  /** Role of each node, a value of `NodeRole`: 1 if the node is honest and live. */
  readonly alive: Uint8Array;
}

/**
 * The race's scenario for one of them: the paper's network and parameters, one seed, the same nodes for all.
 *
 * @param liars number of nodes that send invalid contributions.
 */
export function raceScenario(protocol: RaceProtocol, nodes: number, dead = 0, liars = 0): Scenario {
  const attacks = liars === 0 ? [] : [{ name: 'invalid', share: liars / nodes } as const];
  const scenario = { ...defaultScenario, nodes, dead, attacks };
  if (protocol !== 'complete-graph-bulk') return { ...scenario, protocol };
  const completeGraph = { ...defaultScenario.completeGraph, verification: 'bulk' } as const;
  return { ...scenario, protocol: 'complete-graph', completeGraph };
}

/**
 * Runs one protocol's race.
 *
 * @param look called now and then with the virtual time, µs; throwing there ends the run early.
 * @param marksFor a threshold: the weights whose times are marked, ascending. Default: {@link doublings}.
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
    alive: Uint8Array.from(recording.world.alive),
  };
}

/**
 * When each node had how much. In protocols with levels, nodes say what each level holds; in the others, each
 * successful check adds what was checked, and an output says how many there are.
 *
 * @param marks weights, ascending.
 */
function marksOf(recording: Recording, marks: readonly number[]): Int32Array {
  const { length, kind, node, level, value, timeUs, untilUs, world, scenario } = recording;
  const { nodes, levels } = world;
  // A sum of individual contributions is checked at once; aggregates of gossip overlap.
  const inBulk = scenario.protocol === 'complete-graph';
  const byLevels = kind.includes(LineKind.improve);
  const atUs = (line: number) => (kind[line] === LineKind.check ? untilUs[line]! : timeUs[line]!);
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
    if (kind[line] === LineKind.check) held[id]! += inBulk ? value[line]! : 1;
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
