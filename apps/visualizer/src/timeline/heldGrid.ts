import type { RunIndex } from './runIndex.ts';

/** What every node holds at evenly spaced times: the ground of the progress picture. */
export interface HeldGrid {
  readonly columns: number;
  readonly spanUs: number;
  /** The columns before this one are known; a run that goes on has not come further. */
  readonly known: number;
  /** Row by row, one row a node: what it holds at the end of each column. */
  readonly held: Int32Array;
  /** Over the live nodes, one entry a column. */
  readonly min: Float64Array;
  readonly mean: Float64Array;
  readonly max: Float64Array;
}

/** @param columns at least 1. */
export function heldGrid({ steps, recording, endUs, spanUs }: RunIndex, columns: number): HeldGrid {
  const { nodes, alive } = recording.world;
  const known = spanUs === 0 ? columns : Math.min(columns, Math.floor((endUs / spanUs) * columns));
  const held = new Int32Array(nodes * columns);
  const min = new Float64Array(columns).fill(nodes);
  const mean = new Float64Array(columns);
  const max = new Float64Array(columns);
  let live = 0;
  for (let id = 0; id < nodes; id++) {
    if (alive[id] === 1) live++;
    let step = steps.offset[id]!;
    const last = steps.offset[id + 1]!;
    let now = 0;
    for (let column = 0; column < known; column++) {
      const atUs = columnTimeUs(column, columns, spanUs);
      while (step < last && steps.timeUs[step]! <= atUs) now = steps.held[step++]!;
      held[id * columns + column] = now;
      if (alive[id] !== 1) continue;
      if (now < min[column]!) min[column] = now;
      if (now > max[column]!) max[column] = now;
      mean[column]! += now;
    }
  }
  for (let column = 0; column < columns; column++) mean[column]! /= Math.max(1, live);
  return { columns, spanUs, known, held, min, mean, max };
}

/** The time that a column stands for, microseconds. */
export function columnTimeUs(column: number, columns: number, spanUs: number): number {
  return ((column + 1) / columns) * spanUs;
}
