import { doublings, type RaceProtocol, raceScenario, runRace } from '@tutti/lab';
import { NodeRole } from '@tutti/simulation';
import { bytesOf, type TableLine } from '../files.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/** Result of one protocol's race. */
export interface RaceOutcome {
  readonly protocol: RaceProtocol;
  readonly nodes: number;
  /** Share of the nodes that are dead. */
  readonly dead: number;
  /** Number of live nodes. */
  readonly live: number;
  /** Number of live nodes that reached the threshold. */
  readonly reached: number;
  /** Time at which the last node reached the threshold, ms; nodes that never reached it do not count. */
  readonly lastMs: number;
  /** Mean time at which nodes reached the threshold, ms; nodes that never reached it do not count. */
  readonly meanMs: number;
  /** Mean number of bytes sent over the live nodes. */
  readonly bytesSent: number;
  /** Mean number of messages sent over the live nodes. */
  readonly messagesSent: number;
  /** Mean number of checks over the live nodes. */
  readonly checked: number;
}

/** Times at which each node of one protocol's race reached each number of contributions. */
export interface RaceLane {
  readonly protocol: RaceProtocol;
  readonly digest: string;
  /**
   * Times at which each node first held 2^(k+1) contributions, and finally the threshold: `marks[node * perNode + k]`.
   * The unit is {@link RaceFile.unitUs} for a race, and 1 µs for a lane of {@link laneOf}. A mark that the node does
   * not reach is {@link never}.
   */
  readonly marks: Int32Array;
  readonly perNode: number;
  /** Role of each node, a value of `NodeRole`. */
  readonly role: Uint8Array;
}

/** Race of several protocols with the same nodes. */
export interface Race {
  /** Share of the nodes that are dead. */
  readonly dead: number;
  /** Number of nodes that send invalid contributions. */
  readonly byzantine: number;
  readonly lanes: readonly RaceLane[];
  /** Results of the lanes, in the same order. */
  readonly outcomes: readonly RaceOutcome[];
}

/** Race shown on a first visit, with the results of the recorded races without Byzantine nodes. */
export interface RaceFile {
  readonly version: string;
  readonly nodes: number;
  /** Unit of the marks, µs. */
  readonly unitUs: number;
  readonly race: Race;
  readonly outcomes: readonly RaceOutcome[];
}

/** Value of a mark that a node does not reach. The value is later than every moment that can be drawn. */
export const never = 2 ** 31 - 1;
/** Value that represents {@link never} in a stored race. */
const storedNever = 65_535;

interface StoredLane {
  readonly protocol: RaceProtocol;
  readonly digest: string;
  /** Marks in base64: see {@link readMarks}. */
  readonly marks: string;
  /** Roles of the nodes in base64, one byte per node. */
  readonly role: string;
}

interface StoredRace {
  readonly dead: number;
  /** Number of nodes that send invalid contributions. */
  readonly byzantine: number;
  readonly runs: readonly StoredLane[];
}

/** Recorded race with Byzantine nodes, and its results. */
export interface StoredByzantineRace extends StoredRace {
  readonly outcomes: readonly RaceOutcome[];
}

interface StoredFile extends Omit<RaceFile, 'race'> {
  readonly race: StoredRace;
}

/** Decodes the file of `npm run data -- race`. */
export function readRaceFile(stored: StoredFile): RaceFile {
  return { ...stored, race: readRace(stored.race, stored.outcomes) };
}

/**
 * Decodes marks. A node's first mark is stored unchanged, and each further mark as its difference from the node's
 * previous mark, modulo 2^16. The low bytes of all differences come before all high bytes, which makes the compressed
 * file smaller.
 */
function readMarks(base64: string, nodes: number): Int32Array {
  const bytes = bytesOf(base64);
  const marks = new Uint16Array(bytes.length / 2);
  const perNode = marks.length / nodes;
  for (let at = 0; at < marks.length; at++) {
    const previous = at % perNode === 0 ? 0 : marks[at - 1]!;
    marks[at] = previous + bytes[at]! + 256 * bytes[marks.length + at]!;
  }
  return Int32Array.from(marks, (mark) => (mark === storedNever ? never : mark));
}

/** Decodes one recorded race. @param outcomes results of all recorded races with this number of Byzantine nodes. */
export function readRace({ dead, byzantine, runs }: StoredRace, outcomes: readonly RaceOutcome[]): Race {
  const lanes = runs.map((run): RaceLane => {
    const role = bytesOf(run.role);
    const marks = readMarks(run.marks, role.length);
    return { protocol: run.protocol, digest: run.digest, marks, perNode: marks.length / role.length, role };
  });
  const outcomeOf = (lane: RaceLane) => outcomes.find((one) => one.protocol === lane.protocol && one.dead === dead)!;
  return { dead, byzantine, lanes, outcomes: lanes.map(outcomeOf) };
}

/** Returns the mark at which a node reached the threshold; {@link never} if it did not. */
export function doneMark({ marks, perNode }: RaceLane, node: number): number {
  return marks[(node + 1) * perNode - 1]!;
}

/** Returns a node's progress at a given time: the number of marks reached, from 0 to `perNode`. */
export function marksPassed(lane: RaceLane, node: number, atUnits: number): number {
  const first = node * lane.perNode;
  let passed = 0;
  while (passed < lane.perNode && lane.marks[first + passed]! <= atUnits) passed++;
  return passed;
}

/** Returns the number of honest nodes that hold the threshold at a given time. */
export function doneAt(lane: RaceLane, atUnits: number): number {
  let done = 0;
  for (const [node, role] of lane.role.entries())
    if (role === NodeRole.honest && doneMark(lane, node) <= atUnits) done++;
  return done;
}

/** Returns the times at which honest nodes reached the threshold, ascending, in the unit of the lane's marks. */
export function doneTimes(lane: RaceLane): readonly number[] {
  const last = [...lane.role].flatMap((role, node) => (role === NodeRole.honest ? [doneMark(lane, node)] : []));
  return last.filter((mark) => mark !== never).toSorted((a, b) => a - b);
}

/**
 * Returns the minimum number of contributions that any honest node holds at a given time, rounded down to a power of
 * two, or undefined once all honest nodes hold the threshold.
 */
export function minHeld(lane: RaceLane, atUnits: number): number | undefined {
  let min = lane.perNode;
  for (let node = 0; node < lane.role.length && min > 0; node++)
    if (lane.role[node] === NodeRole.honest) min = Math.min(min, marksPassed(lane, node, atUnits));
  return min === lane.perNode ? undefined : 2 ** min;
}

/** Converts a run to a field of cells, with marks in microseconds. */
export function laneOf({ recording, steps }: Pick<RunIndex, 'recording' | 'steps'>): RaceLane {
  const { world, scenario, result } = recording;
  const weights = doublings(world.threshold);
  const perNode = weights.length;
  const marks = new Int32Array(world.nodes * perNode).fill(never);
  for (let id = 0; id < world.nodes; id++) {
    let passed = 0;
    for (let step = steps.offset[id]!; step < steps.offset[id + 1]! && passed < perNode; step++) {
      while (passed < perNode && steps.held[step]! >= weights[passed]!)
        marks[id * perNode + passed++] = steps.timeUs[step]!;
    }
  }
  return { protocol: scenario.protocol, digest: result.digest, marks, perNode, role: Uint8Array.from(world.role) };
}

/** A run as a field of cells, together with its result, for comparison. */
export interface LaneRun {
  readonly lane: RaceLane;
  readonly endUs: number;
  readonly reached: number;
  readonly live: number;
}

export function laneRun(index: Pick<RunIndex, 'recording' | 'steps' | 'endUs'>): LaneRun {
  const { reached, live } = index.recording.result;
  return { lane: laneOf(index), endUs: index.endUs, reached, live };
}

/**
 * Yields a table of the times at which each honest node of each run reached the threshold; null if the node never
 * reached it.
 */
export function* comparedNumbers(runs: readonly LaneRun[]): Generator<TableLine> {
  yield ['protocol', 'node', 'threshold_ms'];
  for (const { lane } of runs)
    for (const [id, role] of lane.role.entries()) {
      if (role !== NodeRole.honest) continue;
      const us = doneMark(lane, id);
      yield [lane.protocol, id, us === never ? null : us / 1000];
    }
}

/** Request to simulate one protocol's race. */
export interface RaceRequest {
  readonly protocol: RaceProtocol;
  readonly nodes: number;
  /** Share of the nodes that are dead. */
  readonly dead: number;
  /** Number of nodes that send invalid contributions. */
  readonly byzantine: number;
  /** Unit of the lane's marks, µs. */
  readonly unitUs: number;
}

/** Race of one protocol: its lane and its result. */
export interface LiveRace {
  readonly lane: RaceLane;
  readonly outcome: RaceOutcome;
}

/** Simulates a race. @param progress called repeatedly with the current virtual time, ms. */
export function liveRace(
  { protocol, nodes, dead, byzantine, unitUs }: RaceRequest,
  progress?: (nowMs: number) => void,
): LiveRace {
  const run = runRace(raceScenario(protocol, nodes, dead, byzantine), (nowUs) => progress?.(nowUs / 1000));
  const { digest, marksUs, role, live, reached, lastMs, meanMs, bytesSent, messagesSent, checked } = run;
  // Marks are rounded down so that none is later than the end of the race, when the last node finishes.
  const marks = Int32Array.from(marksUs, (us) => (us < 0 ? never : Math.floor(us / unitUs)));
  return {
    lane: { protocol, digest, marks, perNode: run.marks.length, role },
    outcome: { protocol, nodes, dead, live, reached, lastMs, meanMs, bytesSent, messagesSent, checked },
  };
}
