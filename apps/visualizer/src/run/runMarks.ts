import { peerSet } from '@tutti/core';
import { NodeRole } from '@tutti/simulation';
import type { Mark, Track } from '../player/dock.ts';
import { columnTimeUs } from '../timeline/grids.ts';
import { heldSinceUs } from '../timeline/heldSteps.ts';
import { inLevelAt, type NodeStory } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/**
 * Returns the marks of a run for one node: completed levels, its first output, detected invalid contributions, and
 * faults.
 */
export function runMarks({ recording, steps, endUs }: RunIndex, story: NodeStory): readonly Mark[] {
  const { world, scenario, untilUs, value, peer } = recording;
  const marks: Mark[] = [];
  if (world.role[story.node] === NodeRole.honest) {
    for (let level = 1; level <= world.levels; level++) {
      const { weight, sinceUs } = inLevelAt(story, level, endUs);
      if (weight > 0 && weight === peersOf(story, level))
        marks.push({ timeUs: sinceUs, label: `level ${level}`, kind: 'level' });
    }
    const reached = heldSinceUs(steps, story.node, world.threshold);
    if (reached !== undefined) marks.push({ timeUs: reached, label: 'output', kind: 'output' });
    for (const line of story.checks) {
      const from = peer[line] === -1 ? 'several nodes' : `node ${peer[line]}`;
      if (value[line]! < 0 && untilUs[line]! >= 0 && untilUs[line]! <= endUs)
        marks.push({ timeUs: untilUs[line]!, label: `invalid: ${from}`, kind: 'invalid' });
    }
  }
  for (const fault of scenario.faults) {
    const fromUs = 'atMs' in fault && fault.atMs !== undefined ? Math.round(fault.atMs * 1000) : 0;
    if (fromUs <= endUs) marks.push({ timeUs: fromUs, label: fault.kind, kind: 'fault' });
    const forMs = 'forMs' in fault ? fault.forMs : undefined;
    const healedUs = forMs === undefined ? Number.POSITIVE_INFINITY : fromUs + Math.round(forMs * 1000);
    if (healedUs <= endUs) marks.push({ timeUs: healedUs, label: 'healed', kind: 'fault' });
  }
  return marks;
}

/** Returns the number of peers at a level. */
function peersOf({ node, recording: { world, scenario } }: NodeStory, level: number): number {
  const peers = peerSet(node, level, world.nodes, scenario.tree, scenario.branching);
  return peers.end - peers.start;
}

/** Number of the grid's columns per point of the curve. */
const columnsPerPoint = 6;

/**
 * Returns the track of a run: the mean share of contributions that live nodes hold. @param endUs end of the clock, µs.
 * If `endUs` is after `spanUs`, the track extends to `endUs`.
 */
export function meanTrack({ grid, recording, spanUs }: RunIndex, endUs = spanUs): Omit<Track, 'marks'> {
  const columns = [...Array(grid.known).keys()].filter(
    (column) => column % columnsPerPoint === 0 || column === grid.known - 1,
  );
  const point = (column: number) =>
    [
      columnTimeUs(column, grid.columns, grid.spanUs) / Math.max(1, grid.spanUs),
      grid.mean[column]! / recording.world.nodes,
    ] as const;
  const curve = [[0, 0] as const, ...columns.map(point)];
  if (endUs <= spanUs) return { spanUs, curve };
  const shorter = curve.map(([time, held]) => [(time * spanUs) / endUs, held] as const);
  return { spanUs: endUs, curve: [...shorter, [1, curve.at(-1)![1]]] };
}
