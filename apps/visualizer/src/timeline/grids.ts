import { Tree } from '@tutti/core';
import { LineKind, NodeRole, type Recording } from '@tutti/simulation';
import { eachStep } from './heldSteps.ts';

/** Contributions that nodes hold at evenly spaced times: the data of the progress picture. */
export interface ContributionGrid {
  readonly columns: number;
  /** Time that all columns cover together, µs. */
  readonly spanUs: number;
  /** Number of known columns. The remaining columns of an unfinished run are unknown. */
  readonly known: number;
  readonly rows: number;
  /**
   * Number of nodes per row, in tree order: 1, or the size of a subtree if there are too many nodes. The last row may
   * represent fewer nodes.
   */
  readonly perRow: number;
  /** Mean number of contributions that a live node of the row holds at the end of each column, row by row. */
  readonly held: Float32Array;
  /** Number of live nodes of each row. */
  readonly live: Int32Array;
  /** Minimum number of contributions over all live nodes, one entry per column; N if no node is live. */
  readonly min: Float64Array;
  /** Mean number of contributions over all live nodes, one entry per column. */
  readonly mean: Float64Array;
  /** Maximum number of contributions over all live nodes, one entry per column. */
  readonly max: Float64Array;
}

/** Maximum number of nodes that each have their own row. With more nodes, rows would be thinner than half a pixel. */
const maxRows = 1024;
/** Maximum number of rows if a row represents several nodes: about one row per pixel. */
const maxSharedRows = 256;

function nodesPerRow(nodes: number): number {
  return nodes <= maxRows ? 1 : 2 ** Math.ceil(Math.log2(nodes / maxSharedRows));
}

/**
 * Computes the grid in one pass through the run.
 *
 * @param endUs end of the known part of the run, µs. @param columns number of columns, at least 1.
 */
export function contributionGrid(
  recording: Recording,
  endUs: number,
  spanUs: number,
  columns: number,
): ContributionGrid {
  const { nodes, role: roles } = recording.world;
  const known = knownColumns(endUs, spanUs, columns);
  const perRow = nodesPerRow(nodes);
  const rows = Math.ceil(nodes / perRow);
  const held = new Float32Array(rows * columns);
  const min = new Float64Array(columns).fill(nodes);
  const mean = new Float64Array(columns);
  const max = new Float64Array(columns);

  const live = new Int32Array(rows);
  for (let id = 0; id < nodes; id++) if (roles[id] === NodeRole.honest) live[Math.floor(id / perRow)]!++;
  const allLive = live.reduce((sum, here) => sum + here, 0);

  const now = new Int32Array(nodes);
  const sums = new Float64Array(rows);
  let sum = 0;
  /** Number of live nodes for each number of held contributions, from which min and max follow. */
  const holding = new Int32Array(nodes + 1);
  holding[0] = allLive;
  let [minHeld, maxHeld, column] = [0, 0, 0];
  const close = () => {
    for (let row = 0; row < rows; row++) held[row * columns + column] = sums[row]! / Math.max(1, live[row]!);
    min[column] = allLive === 0 ? nodes : minHeld;
    mean[column] = sum / Math.max(1, allLive);
    max[column] = maxHeld;
    column++;
  };
  eachStep(recording, (id, atUs, weight) => {
    while (column < known && columnTimeUs(column, columns, spanUs) < atUs) close();
    if (roles[id] !== NodeRole.honest) return;
    const before = now[id]!;
    now[id] = weight;
    sums[Math.floor(id / perRow)]! += weight - before;
    sum += weight - before;
    holding[before]!--;
    holding[weight]!++;
    minHeld = Math.min(minHeld, weight);
    maxHeld = Math.max(maxHeld, weight);
    while (holding[minHeld] === 0) minHeld++;
    while (holding[maxHeld] === 0) maxHeld--;
  });
  while (column < known) close();
  return { columns, spanUs, known, rows, perRow, held, live, min, mean, max };
}

/** Returns the number of columns that end within the known part of a run. */
function knownColumns(endUs: number, spanUs: number, columns: number): number {
  return spanUs === 0 ? columns : Math.min(columns, Math.floor((endUs / spanUs) * columns));
}

/** Returns the time at the end of a column, µs. */
export function columnTimeUs(column: number, columns: number, spanUs: number): number {
  return ((column + 1) / columns) * spanUs;
}

/** Returns the last column that has ended at a given time; -1 before the end of the first column. */
export function columnAt(timeUs: number, columns: number, spanUs: number): number {
  return spanUs === 0 ? columns - 1 : Math.min(columns, Math.floor((timeUs / spanUs) * columns)) - 1;
}

/**
 * Progress of a node on a level, by the share of its live peers whose contributions the node holds: none, fewer than
 * half, at least half, all.
 */
export const LevelPart = { none: 0, some: 1, most: 2, all: 3 } as const;
/** Number of degrees of progress. */
export const parts = Object.keys(LevelPart).length;

/** Progress of all live nodes on each level at evenly spaced times, for any number of nodes. */
export interface LevelGrid {
  readonly columns: number;
  readonly levels: number;
  /**
   * Number of live nodes per degree of progress: entry ((level - 1) * columns + column) * parts + part. Nodes without
   * live peers on the level are not counted.
   */
  readonly nodes: Int32Array;
  /** Number of nodes that are verifying a contribution of each level: entry (level - 1) * columns + column. */
  readonly checking: Int32Array;
}

/**
 * Computes the grid.
 *
 * @param endUs end of the known part of the run, µs.
 * @param columns number of columns, at least 1.
 */
export function levelGrid(recording: Recording, endUs: number, spanUs: number, columns: number): LevelGrid {
  const { nodes, levels, role: roles } = recording.world;
  const { length, kind, node, level, value, timeUs, untilUs } = recording;
  const tree = new Tree(nodes, recording.scenario.tree, recording.scenario.branching);
  const known = knownColumns(endUs, spanUs, columns);
  const livePeers = livePeersOf(tree, roles);

  const now = new Int32Array(levels * parts);
  for (let id = 0; id < nodes; id++) {
    if (roles[id] !== NodeRole.honest) continue;
    for (let index = 0; index < levels; index++)
      if (livePeers(id, index + 1) > 0) now[index * parts + LevelPart.none]!++;
  }
  /** Progress of each node at each level at the current line. */
  const partOf = new Uint8Array(nodes * levels);
  const all = new Int32Array(levels * columns * parts);
  /** Change in the number of verifications from each column to the next. */
  const checking = new Int32Array(levels * (columns + 1));
  /** Returns the first column that includes a given time. */
  const columnOf = (us: number) =>
    spanUs === 0 ? 0 : Math.min(columns, Math.max(0, Math.ceil((us / spanUs) * columns) - 1));

  let column = 0;
  const close = () => {
    for (let index = 0; index < levels; index++)
      all.set(now.subarray(index * parts, (index + 1) * parts), (index * columns + column) * parts);
    column++;
  };
  for (let line = 0; line < length; line++) {
    const index = level[line]! - 1;
    if (index < 0) continue;
    if (kind[line] === LineKind.check) {
      checking[index * (columns + 1) + columnOf(timeUs[line]!)]!++;
      const until = untilUs[line]!;
      if (until >= 0) checking[index * (columns + 1) + columnOf(until)]!--;
    }
    if (kind[line] !== LineKind.improve) continue;
    while (column < known && columnTimeUs(column, columns, spanUs) < timeUs[line]!) close();
    const id = node[line]!;
    const peers = livePeers(id, index + 1);
    if (roles[id] !== NodeRole.honest || peers === 0) continue;
    const part = partOfLevel(value[line]!, peers);
    now[index * parts + partOf[id * levels + index]!]!--;
    now[index * parts + part]!++;
    partOf[id * levels + index] = part;
  }
  while (column < known) close();

  const checks = new Int32Array(levels * columns);
  for (let index = 0; index < levels; index++) {
    let busy = 0;
    for (let at = 0; at < known; at++) {
      busy += checking[index * (columns + 1) + at]!;
      checks[index * columns + at] = busy;
    }
  }
  return { columns, levels, nodes: all, checking: checks };
}

function partOfLevel(weight: number, peers: number): number {
  if (weight >= peers) return LevelPart.all;
  if (weight * 2 >= peers) return LevelPart.most;
  return weight > 0 ? LevelPart.some : LevelPart.none;
}

/** Returns a function that returns the number of a node's live peers at a level. */
function livePeersOf(tree: Tree, roles: Uint8Array): (id: number, level: number) => number {
  const before = new Int32Array(tree.nodes + 1);
  for (let id = 0; id < tree.nodes; id++) before[id + 1] = before[id]! + (roles[id] === NodeRole.honest ? 1 : 0);
  return (id, level) => {
    const block = tree.peerBlock(id, level);
    const start = tree.start(block);
    return before[start + tree.size(block)]! - before[start]!;
  };
}
