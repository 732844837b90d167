import { expect, it } from 'vitest';
import { indexedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { progressLayout, rowAt, rowOfNodes, rowY, timeAt } from './progressView.ts';

it.each(sizes)('each of %i nodes is found at the middle of its row', (nodes) => {
  const layout = progressLayout(nodes, 1200);
  for (const id of upTo(nodes)) expect(rowAt(layout, nodes, layout.left + 1, rowY(layout, nodes, id))).toBe(id);
});

it('rows of a strip are found up to its edges, and none outside', () => {
  const layout = progressLayout(64, 900);
  const { left, right, strip } = layout;
  const at = (x: number, y: number) => rowAt(layout, 20, x, y);
  const middle = (strip.top + strip.bottom) / 2;
  expect([left - 1, left, right, right + 1].map((x) => at(x, middle))).toEqual([undefined, 10, 10, undefined]);
  const ys = [strip.top - 1, strip.top, strip.bottom - 0.01, strip.bottom];
  expect(ys.map((y) => at(left, y))).toEqual([undefined, 0, 19, undefined]);
});

it('the time is 0 at the left and the end at the right, and limited to this range', () => {
  const layout = progressLayout(64, 350);
  const { left, right } = layout;
  expect([left, right, right + 50].map((x) => timeAt(layout, 300_000, x))).toEqual([0, 300_000, 300_000]);
});

it('after the known part of a run, a row has the state at the end of this part', () => {
  const index = indexedRun({ nodes: 16, levelStartMs: 200 }, false);
  expect(index.endUs).toBeLessThan(index.spanUs);
  const row = rowOfNodes(index, 3, index.spanUs);
  expect(row).toEqual(rowOfNodes(index, 3, index.endUs));
  expect(row).toMatchObject({ from: 3, to: 4, timeUs: index.endUs });
  expect(row.held).toBeGreaterThan(1);
});
