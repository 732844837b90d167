import { describe, expect, it } from 'vitest';
import { sizes, upTo } from '../../test/recordedRun.ts';
import { progressLayout, rowAt, rowY, timeAt } from './progressView.ts';

describe('rowAt', () => {
  it.each(sizes)('finds each of %i nodes at the middle of its row', (nodes) => {
    const layout = progressLayout(nodes, 1200);
    for (const id of upTo(nodes)) expect(rowAt(layout, nodes, layout.left + 1, rowY(layout, nodes, id))).toBe(id);
  });

  it('is undefined outside of the strip', () => {
    const layout = progressLayout(64, 1200);
    expect(rowAt(layout, 64, layout.left - 1, 20)).toBeUndefined();
    expect(rowAt(layout, 64, layout.left + 1, layout.curves.top)).toBeUndefined();
  });
});

describe('timeAt', () => {
  it('is 0 at the left and the end at the right, and limited to this range', () => {
    const layout = progressLayout(64, 350);
    expect(timeAt(layout, 300_000, layout.left)).toBe(0);
    expect(timeAt(layout, 300_000, layout.right)).toBe(300_000);
    expect(timeAt(layout, 300_000, layout.right + 50)).toBe(300_000);
  });
});

it('rows of a strip are found up to its edges', () => {
  const layout = progressLayout(64, 900);
  const { left, right, strip } = layout;
  const at = (x: number, y: number) => rowAt(layout, 20, x, y);
  const middle = (strip.top + strip.bottom) / 2;
  expect([left - 1, left, right, right + 1].map((x) => at(x, middle))).toEqual([undefined, 10, 10, undefined]);
  expect([strip.top - 1, strip.top, strip.bottom - 0.01, strip.bottom].map((y) => at(left, y))).toEqual([
    ...[undefined, 0, 19],
    undefined,
  ]);
});
