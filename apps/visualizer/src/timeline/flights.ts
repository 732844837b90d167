import { Tree } from '@tutti/core';
import { type Fault, LineKind, NodeRole, type Recording } from '@tutti/simulation';
import { upperBound } from './heldSteps.ts';

/** Time between two checkpoints, µs. */
const checkpointEveryUs = 4096;
/**
 * Maximum number of messages in transit for which every message is drawn. A message that is drawn at all is drawn along
 * its whole path.
 */
const maxDrawn = 30_000;

/** Messages of a run: the number in transit at any time, and the messages that are drawn. */
export interface Flights {
  /**
   * Departure times of messages, ascending, µs. The number of departures minus the number of arrivals is the number of
   * messages in transit.
   */
  readonly departUs: Int32Array;
  /** Arrival times of messages, ascending, µs. The order differs from that of `departUs`. */
  readonly arriveUs: Int32Array;
  /** Ratio of all messages to drawn messages. */
  readonly oneIn: number;
  readonly drawn: DrawnFlights;
  /**
   * Verifications of invalid contributions. The strongest adversary delivers invalid contributions without delay, so a
   * drawing shows the verification instead of a message.
   */
  readonly invalid: Spans;
}

/**
 * Messages or verifications in order of their start times. A checkpoint every few milliseconds names the first entry
 * that had not ended by then, so that a search reads only the entries of about one latency.
 */
interface Spans {
  /** Line number of each entry in the recording. */
  readonly line: Int32Array;
  readonly departUs: Int32Array;
  readonly arriveUs: Int32Array;
  /** Index of the first entry that ends after k * checkpointEveryUs, for each checkpoint k. */
  readonly firstOpen: Int32Array;
}

interface DrawnFlights extends Spans {
  /** Index of each message's face in `faces`. */
  readonly face: Uint8Array;
}

/**
 * Prepares the messages of a recording for drawing.
 *
 * @param max approximate maximum number of messages drawn at the same time.
 */
export function flights(recording: Recording, max = maxDrawn): Flights {
  const { length, kind, timeUs, untilUs } = recording;
  let count = 0;
  for (let line = 0; line < length; line++) if (kind[line] === LineKind.send && untilUs[line]! >= 0) count++;
  const lines = new Int32Array(count);
  const departUs = new Int32Array(count);
  const arriveUs = new Int32Array(count);
  let flight = 0;
  for (let line = 0; line < length; line++) {
    if (kind[line] !== LineKind.send || untilUs[line]! < 0) continue;
    lines[flight] = line;
    departUs[flight] = timeUs[line]!;
    arriveUs[flight] = untilUs[line]!;
    flight++;
  }
  const arrivals = arriveUs.slice().sort();
  const oneIn = Math.max(1, Math.ceil(maxAtOnce(departUs, arrivals) / max));
  const isDrawn = (_: number, flight: number) => oneIn === 1 || scattered(flight) % oneIn === 0;
  const drawn = spansOf(recording, lines.filter(isDrawn));
  const face = Uint8Array.from(drawn.line, (line) => faces.indexOf(faceOf(recording, line)));
  const invalid = spansOf(recording, invalidChecks(recording));
  return { departUs, arriveUs: arrivals, oneIn, drawn: { ...drawn, face }, invalid };
}

function invalidChecks({ length, kind, value, untilUs }: Recording): Int32Array {
  const lines: number[] = [];
  for (let line = 0; line < length; line++)
    if (kind[line] === LineKind.check && value[line]! < 0 && untilUs[line]! >= 0) lines.push(line);
  return Int32Array.from(lines);
}

function spansOf(recording: Recording, line: Int32Array): Spans {
  const departUs = line.map((at) => recording.timeUs[at]!);
  const arriveUs = line.map((at) => recording.untilUs[at]!);
  const lastUs = arriveUs.reduce((last, us) => Math.max(last, us), 0);
  return { line, departUs, arriveUs, firstOpen: checkpoints(arriveUs, lastUs) };
}

function checkpoints(arriveUs: Int32Array, endUs: number): Int32Array {
  const firstOpen = new Int32Array(Math.floor(endUs / checkpointEveryUs) + 1);
  let open = 0;
  for (let checkpoint = 0; checkpoint < firstOpen.length; checkpoint++) {
    while (open < arriveUs.length && arriveUs[open]! <= checkpoint * checkpointEveryUs) open++;
    firstOpen[checkpoint] = open;
  }
  return firstOpen;
}

/** Returns the maximum number of messages in transit at the same time. @param arriveUs arrival times, ascending, µs. */
function maxAtOnce(departUs: Int32Array, arriveUs: Int32Array): number {
  let [arrived, max] = [0, 0];
  for (let departed = 0; departed < departUs.length; departed++) {
    while (arriveUs[arrived]! <= departUs[departed]!) arrived++;
    max = Math.max(max, departed + 1 - arrived);
  }
  return max;
}

/** Scrambles the bits of a number, so that the messages selected from consecutive numbers show no pattern. */
function scattered(place: number): number {
  return Math.imul(place, 0x9e3779b1) >>> 4;
}

/** Returns the number of messages that have departed by `atUs` but have not arrived. */
export function inFlightAt({ departUs, arriveUs }: Flights, atUs: number): number {
  return upperBound(departUs, atUs) - upperBound(arriveUs, atUs);
}

/** Calls `visit` with the index of each entry that has begun by `atUs` but has not ended. */
export function eachInFlight(spans: Spans, atUs: number, visit: (flight: number) => void): void {
  const checkpoint = Math.min(Math.max(0, Math.floor(atUs / checkpointEveryUs)), spans.firstOpen.length - 1);
  const departed = upperBound(spans.departUs, atUs);
  for (let flight = spans.firstOpen[checkpoint] ?? 0; flight < departed; flight++) {
    if (spans.arriveUs[flight]! > atUs) visit(flight);
  }
}

/**
 * Appearances of a message: it carries a part of its sender's side, it carries the whole side, or its sender is
 * Byzantine. The side is the half of the level's subtree that contains the sender.
 */
export const faces = ['part', 'all', 'invalid'] as const;
export type Face = (typeof faces)[number];

/** Trees of recordings, cached because each message needs its recording's tree. */
const trees = new WeakMap<Recording['world'], Tree>();

/** Returns the face of a `send` line's message. */
export function faceOf(recording: Recording, line: number): Face {
  if (isInvalid(recording, line)) return 'invalid';
  return isWholeSide(recording, line) ? 'all' : 'part';
}

/** Returns whether a run has Byzantine nodes, or nodes that a fault makes Byzantine. */
export function hasInvalid({ scenario, world }: Recording): boolean {
  return world.role.includes(NodeRole.byzantine) || lyingOf(scenario).length > 0;
}

/** Returns whether the sender was Byzantine at a given time, by its role or by a fault. */
function isInvalid({ scenario, world, node, timeUs }: Recording, line: number): boolean {
  const id = node[line]!;
  if (world.role[id] === NodeRole.byzantine) return true;
  const atMs = timeUs[line]! / 1000;
  return lyingOf(scenario).some(({ from, atMs: since = 0, forMs = Number.POSITIVE_INFINITY }) => {
    return from.includes(id) && atMs >= since && atMs < since + forMs;
  });
}

type Lying = Extract<Fault, { kind: 'corruption' }> & { readonly from: readonly number[] };

/**
 * Returns the faults that alter all messages of some nodes if channels are not authenticated, so that receivers have to
 * detect the changes.
 */
function lyingOf({ faults, authenticated }: Recording['scenario']): readonly Lying[] {
  return authenticated ? [] : faults.filter(isLying);
}

function isLying(fault: Fault): fault is Lying {
  return fault.kind === 'corruption' && fault.share === 1 && fault.to === undefined && Array.isArray(fault.from);
}

/**
 * Returns whether the message on a `send` line carries all contributions of its sender's side. The single contribution
 * of level 0 does not count.
 */
function isWholeSide({ scenario, world, node, level, value }: Recording, line: number): boolean {
  if (value[line]! <= 1 || level[line]! === 0) return false;
  let tree = trees.get(world);
  if (tree === undefined) {
    tree = new Tree(world.nodes, scenario.tree, scenario.branching);
    trees.set(world, tree);
  }
  return value[line] === tree.size(tree.ownBlock(node[line]!, level[line]!));
}

/**
 * Returns the ids of the nodes that a fault names. The result is empty for faults of randomly chosen nodes and for
 * faults of links.
 */
function nodesOf(fault: Fault): readonly number[] {
  if ('nodes' in fault) return 'share' in fault.nodes ? [] : fault.nodes;
  return fault.kind === 'corruption' && fault.from !== undefined && !('share' in fault.from) ? fault.from : [];
}

/** Returns the nodes with an active fault at a given moment: stopped, paused, cut off, slow, or Byzantine. */
export function faultyAt(faults: readonly Fault[], timeUs: number): ReadonlySet<number> {
  const atMs = timeUs / 1000;
  const now = faults.filter((fault) => {
    const fromMs = 'atMs' in fault ? (fault.atMs ?? 0) : 0;
    const forMs = 'forMs' in fault ? (fault.forMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    return fromMs <= atMs && atMs < fromMs + forMs;
  });
  return new Set(now.flatMap(nodesOf));
}
