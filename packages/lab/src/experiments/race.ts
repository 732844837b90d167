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

/** Who runs against whom, in the order in which they are shown. */
export const racers: readonly ProtocolName[] = [...protocolNames].sort((a, b) => protocols[a].lane - protocols[b].lane);

/** Into how many equal shares of the threshold a node's progress is divided. */
export const raceMarks = 8;

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
  /**
   * `marksUs[node * raceMarks + k]`: when the node held (k + 1) / {@link raceMarks} of the threshold, µs; -1 for never.
   */
  readonly marksUs: Int32Array;
  /** 1 if the node is honest and live. */
  readonly alive: Uint8Array;
}

/** The race's scenario for one protocol: the paper's network and parameters, one seed, the same nodes for all. */
export function raceScenario(protocol: ProtocolName, nodes: number, dead = 0): Scenario {
  return { ...defaultScenario, protocol, nodes, dead };
}

/**
 * Runs one protocol's race.
 *
 * @param look called now and then with the virtual time, µs; throwing there ends the run early.
 */
export function runRace(scenario: Scenario, look: (nowUs: number) => void = () => {}): RaceRun {
  const simulation = createSimulation(scenario, { record: { sends: false } });
  while (simulation.advance(65_536)) look(simulation.nowUs);
  const { digest, live, reached, timeToThresholdMs, bytesSent, messagesSent, checked } = simulation.result();
  const recording = simulation.recording();
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
    marksUs: marksOf(recording),
    alive: Uint8Array.from(recording.world.alive, (role) => (role === 1 ? 1 : 0)),
  };
}

/**
 * When each node had how much. In protocols with levels, nodes say what each level holds; in the others, each
 * successful check adds one contribution, and an output says how many there are.
 */
export function marksOf(recording: Recording): Int32Array {
  const { length, kind, node, level, value, timeUs, untilUs, world } = recording;
  const { nodes, levels, threshold } = world;
  const byLevels = kind.includes(LineKind.improve);
  const atUs = (line: number) => (kind[line] === LineKind.check ? untilUs[line]! : timeUs[line]!);
  const steps: number[] = [];
  for (let line = 0; line < length; line++) {
    const what = kind[line];
    const isGain = !byLevels && what === LineKind.check && value[line]! > 0 && untilUs[line]! >= 0;
    if (isGain || what === LineKind.improve || what === LineKind.output) steps.push(line);
  }
  steps.sort((a, b) => atUs(a) - atUs(b));

  const marksUs = new Int32Array(nodes * raceMarks).fill(-1);
  const marked = new Uint8Array(nodes);
  const held = new Int32Array(nodes).fill(1);
  const inLevel = new Int32Array(byLevels ? nodes * (levels + 1) : 0);
  for (const line of steps) {
    const id = node[line]!;
    if (kind[line] === LineKind.check) held[id]!++;
    else if (kind[line] === LineKind.output) held[id] = Math.max(held[id]!, value[line]!);
    else {
      const slot = id * (levels + 1) + level[line]!;
      held[id]! += value[line]! - inLevel[slot]!;
      inLevel[slot] = value[line]!;
    }
    const reached = Math.min(raceMarks, Math.floor((held[id]! * raceMarks) / threshold));
    while (marked[id]! < reached) marksUs[id * raceMarks + marked[id]!++] = atUs(line);
  }
  return marksUs;
}
