import { expect, it } from 'vitest';
import { sizes, upTo } from '../../test/recordedRun.ts';
import { cellBox, cellUnder, idsOfCell, treeLayout } from './treeLayout.ts';

it.each([...sizes, 127, 128, 257, 500, 1024, 1025, 4097, 16_384, 131_072])(
  'each other one of %i nodes is in one cell, which is found at its middle, within its row and the drawing',
  (nodes) => {
    for (const width of [300, 350, 620])
      for (const node of nodes > 1024 ? [nodes >> 1] : new Set([0, nodes >> 1, nodes - 1])) {
        const layout = treeLayout(nodes, node, width);
        const ids: number[] = [];
        let [cells, top] = [0, Number.POSITIVE_INFINITY];
        for (const row of layout.rows.toReversed()) {
          // In a large tree, a cell is a bar for a whole subtree.
          expect(row.perCell).toBe(nodes > 1024 ? row.perColumn : 1);
          for (const place of upTo(Math.ceil((row.end - row.start) / row.perCell))) {
            const { x, y, width, height } = cellBox(layout, row, place);
            expect(cellUnder(layout, x + width / 2, y + height / 2)).toEqual({ row, place });
            expect(x > layout.spineX && x + width <= layout.wordsX && y + height <= row.bottom + 0.01).toBe(true);
            const [from, to] = idsOfCell(row, place);
            for (const more of upTo(to - from)) ids.push(from + more);
            cells++;
          }
          expect(cellUnder(layout, row.x - 1, row.y)).toBeUndefined();
          expect(row.y > row.jointY && row.bottom < top).toBe(true);
          top = row.jointY;
        }
        expect(ids.sort((a, b) => a - b)).toEqual(upTo(nodes).filter((id) => id !== node));
        expect(cells).toBeLessThan(1100);
        expect(cellUnder(layout, layout.wordsX + 1, layout.height)).toBeUndefined();
      }
  },
);

it('levels are stacked from the highest down, without empty levels', () => {
  expect(treeLayout(1024, 300, 620).rows.map((row) => row.level)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(treeLayout(9, 8, 620).rows.map((row) => row.level)).toEqual([4, 3, 2]);
  expect(treeLayout(9, 8, 620, 'packed').rows.map((row) => row.level)).toEqual([4]);
});
