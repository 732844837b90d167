import { expect, it } from 'vitest';
import { recordedRun } from '../test/recordedRun.ts';
import { columnUsFor, pileOf } from './completion/completionLayout.ts';
import { blockAt, fieldGrid, fieldLayout } from './horn/fieldLayout.ts';
import { mapLayout } from './map/mapLayout.ts';
import { placesOf } from './map/places.ts';
import { levelsLayout } from './views/levelsLayout.ts';
import { progressLayout } from './views/progressLayout.ts';
import { ringLayout } from './views/ringLayout.ts';
import { timeSpaceLayout } from './views/timeSpaceLayout.ts';
import { cellBox, treeLayout } from './views/treeLayout.ts';

// Where things are drawn is pinned, so that nothing moves by accident: `vitest -u` after a change that is meant.

/** To a hundredth of a pixel, which is the same in every engine. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toFixed(2));
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, rounded);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => typeof part !== 'function')
      .map(([name, part]) => [name, rounded(part)]),
  );
}

const run = recordedRun({ nodes: 64, network: 'aws' });
const widths = [350, 520, 900] as const;

it.each([
  ['tree of 64', () => widths.map((width) => treeLayout(64, 11, width))],
  ['tree of 9', () => widths.map((width) => treeLayout(9, 8, width, 'packed'))],
  ['tree of 2048', () => widths.map((width) => ({ ...treeLayout(2048, 3, width), rows: undefined }))],
  [
    'cells of a tree of 12,000',
    () => {
      const layout = treeLayout(12_000, 3, 900);
      return layout.rows.map((row) => ({
        ...row,
        branches: undefined,
        cells: [0, 1].map((at) => cellBox(layout, row, at)),
      }));
    },
  ],
  [
    'levels',
    () =>
      [0, 1, 6, 20].flatMap((levels) =>
        widths.map((width) => [levelsLayout(levels, width), levelsLayout(levels, width).rowY(1)]),
      ),
  ],
  ['progress', () => [8, 40, 16_384].flatMap((nodes) => widths.map((width) => progressLayout(nodes, width)))],
  ['ring', () => [ringLayout(run.world, 'tree'), ringLayout(run.world, 'region')]],
  [
    'time and space',
    () =>
      widths.map((width) => {
        const layout = timeSpaceLayout(run, 5, width);
        return [layout, layout.bandY(2, -1), layout.bandY(3, 1), layout.peerY(4, 1, 1), layout.peerY(40, 6, -1)];
      }),
  ],
  [
    'time and space without levels',
    () => timeSpaceLayout(recordedRun({ nodes: 8, protocol: 'complete-graph' }), 3, 900),
  ],
  ['map', () => [350, 900].map((width) => ({ ...mapLayout(placesOf(run)!, 64, width), x: undefined, y: undefined }))],
  [
    'field of Horn',
    () => {
      const grid = fieldGrid(64, 512, 32);
      return widths.map((width) => [grid, fieldLayout(grid, width, 2), blockAt(grid, fieldLayout(grid, width, 2), 9)]);
    },
  ],
  ['pile', () => [pileOf(Int32Array.of(5, -1, 900, 1100, 950, 2000), 1000), columnUsFor(1_000_000, 600, 4)]],
] as const)('%s', (_, layout) => expect(rounded(layout())).toMatchSnapshot());
