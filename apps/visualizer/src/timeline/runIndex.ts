import { Tree } from '@tutti/core';
import { LineKind, type ProtocolName, protocols, type Recording, type Scenario } from '@tutti/simulation';
import { type Flights, flights } from './flights.ts';
import { type HeldGrid, heldGrid } from './heldGrid.ts';
import { type HeldSteps, heldSteps } from './heldSteps.ts';
import { type LevelGrid, levelGrid } from './levelGrid.ts';

/**
 * Which lines of a recording are about each node, so that a node's story can be told without reading those of the
 * others.
 */
export interface NodeLines {
  /** Node i's lines are [offset[i], offset[i + 1]) of `line`, in the recording's order. */
  readonly offset: Int32Array;
  /** What the node did but sending, and the sendings that arrive at it. */
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

/** The node that a line is about; -1 for a message that does not arrive. */
function concerned({ kind, node, peer, untilUs, world }: Recording, line: number): number {
  if (kind[line] !== LineKind.send) return node[line]!;
  const to = peer[line]!;
  return to >= 0 && untilUs[line]! >= 0 && world.alive[to] === 1 ? to : -1;
}

/** Columns of the grids: about one a pixel on a wide page. */
const gridColumns = 1024;
/**
 * Up to here a run's messages are kept and drawn. Nine lines in ten are messages, so without them a recording takes a
 * tenth; and this many nodes already have 180,000 on their way at once. The complete graph and gossip have N messages
 * for each node: 1,024 nodes have more than 4,096 of Handel.
 */
export function maxNodesWithMessages(protocol: ProtocolName): number {
  return isToEveryone(protocol) ? 1024 : 4096;
}

/** Whether every contribution goes to every node separately. */
export function isToEveryone(protocol: ProtocolName): boolean {
  return protocols[protocol].isToEveryone;
}

/**
 * With more nodes than this, the sets are kept for levels of up to this many peers, and only the weights for larger
 * ones: with dead nodes, the sets of the largest levels would take gigabytes.
 */
export const maxPeersWithNames = 1024;

/**
 * A recording with everything derived from it in advance, so that any moment of it can be drawn at once. It is made in
 * the worker that has the recording and handed over whole: it contains only numbers, texts and typed arrays.
 */
export interface RunIndex {
  readonly recording: Recording;
  /** False until the run is over: then this is its state so far. */
  readonly done: boolean;
  /** Up to when the run is known. */
  readonly endUs: number;
  /** What the time axes span: the run, or until it is over a guess at its length. */
  readonly spanUs: number;
  readonly steps: HeldSteps;
  readonly lines: NodeLines;
  readonly grid: HeldGrid;
  readonly levels: LevelGrid;
  /** Undefined where messages were not kept, or are too many to be drawn. */
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
    grid: heldGrid(recording, endUs, spanUs, gridColumns),
    levels: levelGrid(recording, endUs, spanUs, gridColumns),
    flights: drawsMessages ? flights(recording) : undefined,
  };
}

/** A guess at how long a run is: most end soon after their last level has begun. */
export function likelySpanUs({ nodes, branching, levelStartMs, desyncMs }: Scenario): number {
  const tree = new Tree(nodes, 'spread', branching);
  return ((tree.levelOrder(tree.levels) + 1) * levelStartMs + desyncMs + 20) * 1000;
}
