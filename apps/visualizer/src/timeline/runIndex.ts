import { Tree } from '@tutti/core';
import { LineKind, NodeRole, type ProtocolName, protocols, type Recording, type Scenario } from '@tutti/simulation';
import { count, ms } from '../formatNumber.ts';
import { type Flights, flights } from './flights.ts';
import { type ContributionGrid, contributionGrid, type LevelGrid, levelGrid } from './grids.ts';
import { type HeldSteps, heldSteps } from './heldSteps.ts';

/** Lines of a recording grouped by node, so that a node's story reads only its own lines. */
interface NodeLines {
  /** Lines of node i are [offset[i], offset[i + 1]) of `line`, in the recording's order. */
  readonly offset: Int32Array;
  /** Lines of the node's events, except sendings, and of the sendings that arrive at the node. */
  readonly line: Int32Array;
}

/** Groups the lines of a recording by node. */
export function nodeLines(recording: Recording): NodeLines {
  const { length, world } = recording;
  const offset = new Int32Array(world.nodes + 1);
  for (let line = 0; line < length; line++) {
    const id = concerned(recording, line);
    if (id >= 0) offset[id + 1]!++;
  }
  for (let id = 0; id < world.nodes; id++) offset[id + 1]! += offset[id]!;
  const lines = new Int32Array(offset[world.nodes]!);
  const next = offset.slice(0, world.nodes);
  for (let line = 0; line < length; line++) {
    const id = concerned(recording, line);
    if (id >= 0) lines[next[id]!++] = line;
  }
  return { offset, line: lines };
}

/** Returns the node to which a line belongs; -1 for a message that is lost, or does not reach an honest node. */
function concerned({ kind, node, peer, untilUs, world }: Recording, line: number): number {
  if (kind[line] !== LineKind.send) return node[line]!;
  const to = peer[line]!;
  return to >= 0 && untilUs[line]! >= 0 && world.role[to] === NodeRole.honest ? to : -1;
}

/** Number of columns in each grid: about one per pixel on a wide page. */
const gridColumns = 1024;

/**
 * Returns the maximum number of nodes in a run whose messages are recorded and drawn. At Handel's maximum number of
 * nodes, up to 180,000 messages are in transit at the same time. The complete graph and gossip need N messages per
 * node: with 1,024 nodes, they send more messages than Handel with 4,096 nodes.
 */
export function maxNodesWithMessages(protocol: ProtocolName): number {
  return isToEveryone(protocol) ? 1024 : 4096;
}

/** Returns whether the protocol sends every contribution to every node. */
export function isToEveryone(protocol: ProtocolName): boolean {
  return protocols[protocol].isToEveryone;
}

/**
 * Maximum number of peers on a level whose sets are recorded in large runs. For levels with more peers, only weights
 * are recorded. With dead nodes, the sets of the largest levels would take gigabytes.
 */
export const maxPeersWithNames = 1024;

/**
 * Recording together with all derived data, so that any moment can be drawn immediately. The worker that holds the
 * recording creates the index and transfers it. The index contains only numbers, texts and typed arrays.
 */
export interface RunIndex {
  readonly recording: Recording;
  /** Whether the run has ended. During the run, the data cover the part simulated so far. */
  readonly done: boolean;
  /** End of the known part of the run, µs. */
  readonly endUs: number;
  /** Span of the time axes, µs: the run, or an estimate of its length during the run. */
  readonly spanUs: number;
  readonly steps: HeldSteps;
  readonly lines: NodeLines;
  readonly grid: ContributionGrid;
  readonly levels: LevelGrid;
  /** Messages; undefined if they were not recorded, or the run has too many nodes to draw them. */
  readonly flights: Flights | undefined;
}

/** Derives the data from a recording. @param done whether the run has ended. */
export function runIndex(recording: Recording, done: boolean): RunIndex {
  const endUs = recording.length === 0 ? 0 : recording.timeUs[recording.length - 1]!;
  const spanUs = done ? endUs : Math.max(endUs, likelySpanUs(recording.scenario));
  const drawsMessages = recording.sends && recording.world.nodes <= maxNodesWithMessages(recording.scenario.protocol);
  return {
    recording,
    done,
    endUs,
    spanUs,
    steps: heldSteps(recording),
    lines: nodeLines(recording),
    grid: contributionGrid(recording, endUs, spanUs, gridColumns),
    levels: levelGrid(recording, endUs, spanUs, gridColumns),
    flights: drawsMessages ? flights(recording) : undefined,
  };
}

/** Estimates the length of a run from its scenario. Most runs end soon after the start of their last level. */
export function likelySpanUs({ nodes, branching, levelStartMs, desyncMs }: Scenario): number {
  const tree = new Tree(nodes, 'spread', branching);
  return ((tree.levelOrder(tree.levels) + 1) * levelStartMs + desyncMs + 20) * 1000;
}

/** Event found by a search. */
export interface Found {
  readonly timeUs: number;
  readonly node: number;
  /** Description of the event. */
  readonly words: string;
}

const expectedText = 'expected a node such as 52, or a message such as 7 > 52';

/**
 * Finds the next event that matches a text. The text `52` means the next event of node 52, and `7 > 52` means the next
 * message from node 7 that reaches node 52. After the last event, the search continues at the first.
 *
 * @param afterUs moment after which the search begins, µs. @returns the event found, or a sentence that explains the
 * failure.
 */
export function findIn({ recording, lines }: RunIndex, text: string, afterUs: number): Found | string {
  const { world, kind, node, peer, timeUs, untilUs } = recording;
  const named = /^\D*?(\d{1,7})(?:\s*(?:>|→|-|to)+\s*\D*?(\d{1,7}))?\s*$/.exec(text.trim());
  if (named === null)
    return `${expectedText}; got ${text.trim() === '' ? 'nothing' : `“${text.trim().slice(0, 30)}”`}.`;
  const [first, second] = [Number(named[1]), named[2] === undefined ? undefined : Number(named[2])];
  const receiver = second ?? first;
  for (const id of [first, receiver])
    if (id >= world.nodes) return `Expected a node from 0 to ${count(world.nodes - 1)}, got ${count(id)}.`;
  const own = [...lines.line.subarray(lines.offset[receiver]!, lines.offset[receiver + 1]!)];
  const isArrival = (line: number) => kind[line] === LineKind.send;
  const wanted = second === undefined ? own : own.filter((line) => isArrival(line) && node[line] === first);
  // The position of a message is its departure; the position of a node's event is the time at that node.
  const at = (line: number) => (second === undefined && isArrival(line) ? untilUs[line]! : timeUs[line]!);
  const times = wanted.map((line) => [at(line), line] as const).sort(([a], [b]) => a - b);
  const next = times.find(([us]) => us > afterUs) ?? times[0];
  if (next === undefined)
    return second === undefined
      ? `Node ${count(first)} has no events in this run.`
      : `No message from node ${count(first)} reaches node ${count(receiver)} in this run.`;
  const [foundUs, line] = next;
  const place = `${count(times.indexOf(next) + 1)} of ${count(times.length)}`;
  const words = isArrival(line)
    ? `Message from node ${count(node[line]!)} to node ${count(peer[line]!)}: sent at ${ms(timeUs[line]!)}, received at ${ms(untilUs[line]!)} (${place}).`
    : `Node ${count(receiver)} at ${ms(foundUs)} (event ${place}).`;
  return { timeUs: foundUs, node: receiver, words };
}
