import { describe, expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { columnTimeUs, heldGrid } from './heldGrid.ts';
import { heldAt } from './heldSteps.ts';
import { runIndex } from './runIndex.ts';

describe('heldGrid', () => {
  it('holds at each column what each node holds at its time', () => {
    const index = runIndex(recordedRun({ nodes: 33, dead: 0.1, seed: 2 }), true);
    const grid = heldGrid(index, 40);
    for (const id of upTo(33)) {
      for (const column of upTo(40)) {
        const atUs = columnTimeUs(column, 40, index.spanUs);
        expect(grid.held[id * 40 + column]).toBe(heldAt(index.steps, id, atUs));
      }
    }
  });

  it('keeps the mean between the slowest and the fastest live node', () => {
    const grid = heldGrid(runIndex(recordedRun({ nodes: 64, dead: 0.3, seed: 4 }), true), 50);
    for (const column of upTo(50)) {
      expect(grid.min[column]).toBeLessThanOrEqual(grid.mean[column]!);
      expect(grid.mean[column]).toBeLessThanOrEqual(grid.max[column]!);
    }
  });

  it('leaves the columns beyond what is known of a run that goes on empty', () => {
    const index = { ...runIndex(recordedRun({ nodes: 16 }), false), endUs: 100_000, spanUs: 400_000 };
    const grid = heldGrid(index, 40);
    expect(grid.known).toBe(10);
    expect(grid.held.subarray(10, 40).every((held) => held === 0)).toBe(true);
  });
});
