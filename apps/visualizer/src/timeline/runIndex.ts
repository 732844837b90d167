import { Tree } from '@tutti/core';
import { LineKind, type ProtocolName, protocols, type Recording, type Scenario } from '@tutti/simulation';
import { type ContributionGrid, contributionGrid } from './contributionGrid.ts';
import { type Flights, flights } from './flights.ts';
import { type HeldSteps, heldSteps } from './heldSteps.ts';
import { type LevelGrid, levelGrid } from './levelGrid.ts';

/** Lines of a recording by node, so that a node's story need not read other lines. */
interface NodeLines {
  /** Lines of node i are [offset[i], offset[i + 1]) of `line`, in the recording's order. */
  readonly offset: Int32Array;
  /** Events of the node except sendings, and the sendings that arrive at the node. */
  readonly line: Int32Array;
}

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

/** Returns the node to which a line belongs; -1 for a message that does not arrive. */
function concerned({ kind, node, peer, untilUs, world }: Recording, line: number): number {
  if (kind[line] !== LineKind.send) return node[line]!;
  const to = peer[line]!;
  return to >= 0 && untilUs[line]! >= 0 && world.alive[to] === 1 ? to : -1;
}

/** Number of columns in the grids: about one per pixel on a wide page. */
const gridColumns = 1024;
/**
 * Returns the maximum number of nodes with recorded and drawn messages. Nine lines in ten are messages, and at this
 * size up to 180,000 are in transit at the same time. The complete graph and gossip have N messages per node: 1,024
 * nodes send more than 4,096 nodes of Handel.
 */
export function maxNodesWithMessages(protocol: ProtocolName): number {
  return isToEveryone(protocol) ? 1024 : 4096;
}

/** Returns whether the protocol sends every contribution to every node. */
export function isToEveryone(protocol: ProtocolName): boolean {
  return protocols[protocol].isToEveryone;
}

/**
 * Maximum number of peers of a level with recorded sets in large runs. Larger levels have only weights. With dead
 * nodes, the sets of the largest levels would take gigabytes.
 */
export const maxPeersWithNames = 1024;

/**
 * Recording with all derived data, so that any moment can be drawn immediately. The worker that has the recording
 * creates it and transfers it. It contains only numbers, texts and typed arrays.
 */
export interface RunIndex {
  readonly recording: Recording;
  /** Whether the run has ended. During the run, the data cover the part so far. */
  readonly done: boolean;
  /** End of the known part of the run, microseconds. */
  readonly endUs: number;
  /** Span of the time axes, µs: the run, or an estimate of its length during the run. */
  readonly spanUs: number;
  readonly steps: HeldSteps;
  readonly lines: NodeLines;
  readonly grid: ContributionGrid;
  readonly levels: LevelGrid;
  /** Messages; undefined if they were not recorded, or are too many to draw. */
  readonly flights: Flights | undefined;
}

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

/** Estimates the length of a run. Most runs end soon after their last level has begun. */
export function likelySpanUs({ nodes, branching, levelStartMs, desyncMs }: Scenario): number {
  const tree = new Tree(nodes, 'spread', branching);
  return ((tree.levelOrder(tree.levels) + 1) * levelStartMs + desyncMs + 20) * 1000;
}
