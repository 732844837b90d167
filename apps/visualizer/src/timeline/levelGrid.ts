import { Tree } from '@tutti/core';
import { LineKind, NodeRole, type Recording } from '@tutti/simulation';
import { columnTimeUs, knownColumns } from './contributionGrid.ts';

/**
 * Progress of a node on a level, by the share of its live peers whose contributions it holds: none, fewer than half, at
 * least half, all.
 */
export const LevelPart = { none: 0, some: 1, most: 2, all: 3 } as const;
export const parts = Object.keys(LevelPart).length;

/** Progress of all live nodes on each level at evenly spaced times, for any number of nodes. */
export interface LevelGrid {
  readonly columns: number;
  readonly levels: number;
  /**
   * Number of live nodes by progress: entry ((level - 1) * columns + column) * parts + part. Nodes without live peers
   * on the level are not counted.
   */
  readonly nodes: Int32Array;
  /** Number of nodes that are verifying a contribution of each level: entry (level - 1) * columns + column. */
  readonly checking: Int32Array;
}

/** @param endUs end of the known part of the run, µs. @param columns number of columns, at least 1. */
export function levelGrid(recording: Recording, endUs: number, spanUs: number, columns: number): LevelGrid {
  const { nodes, levels, alive } = recording.world;
  const { length, kind, node, level, value, timeUs, untilUs } = recording;
  const tree = new Tree(nodes, recording.scenario.tree, recording.scenario.branching);
  const known = knownColumns(endUs, spanUs, columns);
  const livePeers = livePeersOf(tree, alive);

  const now = new Int32Array(levels * parts);
  for (let id = 0; id < nodes; id++) {
    if (alive[id] !== 1) continue;
    for (let height = 1; height <= levels; height++)
      if (livePeers(id, height) > 0) now[(height - 1) * parts + LevelPart.none]!++;
  }
  const at = new Uint8Array(nodes * levels);
  const all = new Int32Array(levels * columns * parts);
  /** Changes from one column to the next, which are summed at the end. */
  const checking = new Int32Array(levels * (columns + 1));
  /** Returns the first column that includes a time. */
  const columnOf = (us: number) =>
    spanUs === 0 ? 0 : Math.min(columns, Math.max(0, Math.ceil((us / spanUs) * columns) - 1));

  let column = 0;
  const close = () => {
    for (let index = 0; index < levels; index++) {
      for (let part = 0; part < parts; part++)
        all[(index * columns + column) * parts + part] = now[index * parts + part]!;
    }
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
    if (alive[id] !== 1 || peers === 0) continue;
    const weight = value[line]!;
    const part =
      weight >= peers
        ? LevelPart.all
        : weight * 2 >= peers
          ? LevelPart.most
          : weight > 0
            ? LevelPart.some
            : LevelPart.none;
    now[index * parts + at[id * levels + index]!]!--;
    now[index * parts + part]!++;
    at[id * levels + index] = part;
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

/** Returns the number of live peers of a node on a level. */
function livePeersOf(tree: Tree, alive: Uint8Array): (id: number, level: number) => number {
  const before = new Int32Array(tree.nodes + 1);
  for (let id = 0; id < tree.nodes; id++) {
    before[id + 1] = before[id]! + (alive[id] === NodeRole.honest ? 1 : 0);
  }
  return (id, level) => {
    const block = tree.peerBlock(id, level);
    const start = tree.start(block);
    return before[start + tree.size(block)]! - before[start]!;
  };
}
