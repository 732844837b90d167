import { describe, expect, it } from 'vitest';
import { sizes, upTo } from '../../test/recordedRun.ts';
import { cellBox, cellUnder, idsOfCell, treeLayout } from './treeLayout.ts';

const cases = [...sizes, 127, 128, 500, 1024].flatMap((nodes) => [350, 620].map((width) => ({ nodes, width })));

describe('treeLayout', () => {
  it.each(cases)('gives every other one of $nodes nodes a separate cell within $width pixels', ({ nodes, width }) => {
    for (const node of new Set([0, nodes >> 1, nodes - 1])) {
      const layout = treeLayout(nodes, node, width);
      const places = new Map<string, number>();
      for (const row of layout.rows) {
        for (const place of upTo(row.end - row.start)) {
          const { x, y, width, height } = cellBox(layout, row, place);
          expect(x).toBeGreaterThan(layout.spineX);
          expect(x + width).toBeLessThanOrEqual(layout.wordsX);
          expect(y + height).toBeLessThanOrEqual(row.bottom + 0.01);
          places.set(`${x.toFixed(2)} ${y.toFixed(2)}`, row.start + place);
        }
      }
      const others = upTo(nodes).filter((id) => id !== node);
      expect([...places.values()].sort((a, b) => a - b)).toEqual(others);
    }
  });

  it('stacks the levels from the highest down, without overlap', () => {
    const { rows, self } = treeLayout(1024, 300, 620);
    expect(rows.map((row) => row.level)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    rows.forEach((row, place) => {
      expect(row.y).toBeGreaterThan(row.jointY);
      expect(row.bottom).toBeLessThan(rows[place + 1]?.jointY ?? self.y);
    });
  });

  it('omits empty levels', () => {
    expect(treeLayout(9, 8, 620).rows.map((row) => row.level)).toEqual([4, 3, 2]);
    expect(treeLayout(9, 8, 620, 'packed').rows.map((row) => row.level)).toEqual([4]);
  });

  it.each([1025, 4097, 16_384, 131_072])('draws bars for the %i nodes of a large tree, each a subtree', (nodes) => {
    for (const width of [300, 350, 620]) {
      const layout = treeLayout(nodes, nodes >> 1, width);
      let top = Number.POSITIVE_INFINITY;
      for (const row of layout.rows.toReversed()) {
        expect(row.perCell).toBe(row.perColumn);
        const last = cellBox(layout, row, Math.ceil((row.end - row.start) / row.perCell) - 1);
        expect(last.x + last.width).toBeLessThanOrEqual(layout.wordsX);
        expect(last.y + last.height).toBeLessThanOrEqual(row.bottom + 0.01);
        expect(row.y).toBeGreaterThan(row.jointY);
        expect(row.bottom).toBeLessThan(top);
        top = row.jointY;
      }
      const cells = layout.rows.reduce((sum, row) => sum + Math.ceil((row.end - row.start) / row.perCell), 0);
      expect(cells).toBeLessThan(1100);
    }
  });
});

describe('cellUnder', () => {
  it.each([2, 13, 64, 257, 500, 1024, 1025, 4096])(
    'finds each of the cells of %i nodes, and none outside of them',
    (nodes) => {
      const layout = treeLayout(nodes, nodes >> 1, 620);
      const found = layout.rows.flatMap((row) =>
        upTo(Math.ceil((row.end - row.start) / row.perCell)).map((place) => {
          const { x, y, width, height } = cellBox(layout, row, place);
          const under = cellUnder(layout, x + width / 2, y + height / 2);
          expect(under).toEqual({ row, place });
          expect(cellUnder(layout, row.x - 1, y)).toBeUndefined();
          return idsOfCell(row, place);
        }),
      );
      const ids = found.flatMap(([from, to]) => upTo(to - from).map((more) => from + more));
      expect(ids.sort((a, b) => a - b)).toEqual(upTo(nodes).filter((id) => id !== nodes >> 1));
      expect(cellUnder(layout, layout.wordsX + 1, layout.rows[0]!.y)).toBeUndefined();
      expect(cellUnder(layout, layout.rows[0]!.x + 1, layout.height)).toBeUndefined();
    },
  );
});
