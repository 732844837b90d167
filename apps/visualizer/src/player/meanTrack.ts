import { columnTimeUs } from '../timeline/contributionGrid.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { Track } from './marks.ts';

/** Number of the grid's columns per point of the curve. */
const columnsAPoint = 6;

/**
 * Returns the track of a run: the mean share of contributions that nodes hold. @param endUs end of the clock, µs, at
 * least the end of the run.
 */
export function meanTrack({ grid, recording, spanUs }: RunIndex, endUs = spanUs): Omit<Track, 'marks'> {
  const columns = [...Array(grid.known).keys()].filter((column) => column % columnsAPoint === 0);
  if (grid.known > 0) columns.push(grid.known - 1);
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
