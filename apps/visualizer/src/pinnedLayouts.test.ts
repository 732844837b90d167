import { branchings, treeForms } from '@tutti/core';
import { loadNetwork } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../tests/digests.ts';
import { recordedRun } from '../test/recordedRun.ts';
import { columnUsFor, completionTimes, pileOf } from './completion/completionLayout.ts';
import { blockAt, cornerOf, fieldGrid, fieldLayout, placeUnder } from './horn/fieldLayout.ts';
import { rivalLayout } from './lean/rivalLayout.ts';
import { mapLayout, mapProjection } from './map/mapLayout.ts';
import { placesOf } from './map/places.ts';
import { runIndex } from './timeline/runIndex.ts';
import { levelsLayout } from './views/levelsLayout.ts';
import { progressLayout, rowAt, rowY, timeAt } from './views/progressLayout.ts';
import { nearestOnRing, ringLayout, turn } from './views/ringLayout.ts';
import { timeSpaceLayout } from './views/timeSpaceLayout.ts';
import { cellBox, cellUnder, idsOfCell, treeLayout } from './views/treeLayout.ts';

const widths = [200, 390, 479, 480, 559, 560, 900, 1400];
const sizes = [1, 2, 3, 13, 17, 64, 100, 300, 1024, 1025, 9999, 10_000, 40_000];

it('the tree is where it was, and what is under a point', () => {
  const pins = drawn(120, (draw) => {
    const nodes = draw.one(sizes);
    const layout = treeLayout(
      nodes,
      draw.integer(0, nodes - 1),
      draw.one(widths),
      draw.one(treeForms),
      draw.one(branchings),
    );
    const boxes = layout.rows.flatMap((row) =>
      [0, 1, 3].map((place) => [cellBox(layout, row, place), idsOfCell(row, place)]),
    );
    const under = draw.list(60, () => {
      const found = cellUnder(layout, draw.number(0, layout.width), draw.number(0, layout.height));
      return found && [found.row.level, found.place];
    });
    const edges = layout.rows.flatMap((row) =>
      [row.x - 0.01, row.x].flatMap((x) =>
        [row.y - 0.01, row.y, row.bottom, row.bottom + 0.01].map((y) => cellUnder(layout, x, y)?.place),
      ),
    );
    return [layout, boxes, under, edges];
  });
  expect(pins.map(digestOf)).toMatchSnapshot();
});

it('rings, bands, rows and piles are where they were', async () => {
  await loadNetwork('cities');
  const pins = drawn(8, (draw, seed) => {
    const protocol = draw.one(['handel', 'gossip', 'san-fermin'] as const);
    const recording = recordedRun({
      nodes: draw.integer(3, 40),
      network: draw.one(['aws', 'cities', 'distance']),
      protocol,
      dead: 0.2,
      seed,
    });
    const { world } = recording;
    const ids = Array.from({ length: world.nodes }, (_, id) => id);
    const bands = widths.map((width) => {
      const id = draw.integer(0, world.nodes - 1);
      const layout = timeSpaceLayout(recording, id, width);
      const peers = ids.flatMap((peer) =>
        [0, 1, 2, 5].flatMap((level) => ([-1, 1] as const).map((side) => layout.peerY(peer, level, side))),
      );
      return [layout, peers, [1, 2].map((band) => layout.bandY(band, 1))];
    });
    const rings = (['tree', 'region'] as const).map((order) => {
      const ring = ringLayout(world, order);
      return [ring, draw.list(20, () => nearestOnRing(ring.angle, draw.number(-7, 7)))];
    });
    const times = completionTimes(runIndex(recording, true));
    const piles = [5000, 20_000].map((columnUs) => pileOf(times, columnUs));
    const rows = widths.map((width) => {
      const layout = progressLayout(world.nodes, width);
      const under = draw.list(20, () => [
        rowAt(layout, 20, draw.number(0, width), draw.number(0, 300)),
        timeAt(layout, 9e5, draw.number(0, width)),
      ]);
      return [layout, under, [0, 1, 19].map((row) => rowY(layout, 20, row))];
    });
    const places = placesOf(recording);
    return [
      bands,
      rings,
      times,
      piles,
      rows,
      places && widths.slice(1, 4).map((width) => mapLayout(places, world.nodes, width)),
    ];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "da77a165cf58",
      "dbd48c098f8b",
      "618d5063553f",
      "1895424d4deb",
      "cd8a446349fa",
      "367316309295",
      "0e54c105b764",
      "e5495fcfa132",
    ]
  `);
  expect(digestOf(widths.map((width) => mapProjection(width)))).toMatchInlineSnapshot(`"d83e1d7b7f62"`);
  expect([-7, -4, -3.2, -1, 0, 1, 3.1, 3.2, 4, 7].map((radians) => turn(radians).toFixed(6))).toMatchInlineSnapshot(`
    [
      "-0.716815",
      "2.283185",
      "3.083185",
      "-1.000000",
      "0.000000",
      "1.000000",
      "3.100000",
      "-3.083185",
      "-2.283185",
      "0.716815",
    ]
  `);
  expect(
    digestOf(
      widths.flatMap((width) =>
        [0, 1, 9, 14, 17, 20, 21].map((levels) => {
          const layout = levelsLayout(levels, width);
          return [layout, [1, 2, levels].map(layout.rowY)];
        }),
      ),
    ),
  ).toMatchInlineSnapshot(`"24a0d690cf28"`);
  expect(
    [
      [1e6, 500, 4],
      [1e6, 0, 4],
      [10, 500, 1],
      [3e8, 300, 9],
    ].map(([span, width, least]) => columnUsFor(span!, width!, least!)),
  ).toMatchInlineSnapshot(`
    [
      10000,
      5000000,
      100,
      10000000,
    ]
  `);
});

/** On lines, and just beside them. */
const beside = (...lines: number[]) => lines.flatMap((line) => [line - 0.01, line, line + 0.01]);

it('fields of votes are where they were, and what is under a point', () => {
  const pins = drawn(80, (draw) => {
    const [subcommittee, subcommittees] = [2 ** draw.integer(0, 5), 2 ** draw.integer(0, 4)];
    const grid = outcomeOf(() => fieldGrid(2 ** draw.integer(0, 5), subcommittee * subcommittees, subcommittee));
    if (typeof grid === 'string') return grid;
    const layout = fieldLayout(grid as ReturnType<typeof fieldGrid>, draw.one(widths), draw.one([1, 1.5, 2]));
    const of = grid as ReturnType<typeof fieldGrid>;
    const under = draw.list(60, () =>
      placeUnder(of, layout, draw.number(-3, layout.width), draw.number(-3, layout.height)),
    );
    const corners = [0, 1, 3].flatMap((which) => {
      const { x, y } = blockAt(of, layout, which);
      const { width, height } = layout.block;
      return beside(x, x + width / 2, x + width).flatMap((x) =>
        beside(y, y + height / 2, y + height).map((y) => placeUnder(of, layout, x, y)),
      );
    });
    under.push(...corners, placeUnder(of, layout, 1, 9), placeUnder(of, layout, 9, 1), placeUnder(of, layout, 5000, 9));
    return [grid, layout, [0, 1, 3].map((which) => [blockAt(of, layout, which), cornerOf(of, which)]), under];
  });
  expect(pins.map(digestOf)).toMatchSnapshot();
});

it('lanes of provers are where they were', () => {
  const lanes = drawn(60, (draw) => {
    const provers = draw.integer(1, 150);
    const layout = rivalLayout(
      draw.one(widths),
      { subnets: draw.integer(1, 64), provers, slotMs: 4000 },
      draw.one([undefined, 250, 500]),
    );
    const at = draw.list(30, () => layout.at(draw.number(0, layout.width), draw.number(0, layout.height)));
    const edges = beside(layout.left, layout.x(4000)).flatMap((x) =>
      beside(layout.lanes.top, layout.y(1), layout.y(provers)).map((y) => layout.at(x, y)),
    );
    return [layout, at, edges, layout.x(1000), layout.y(3)];
  });
  expect([lanes].map(digestOf)).toMatchInlineSnapshot(`
    [
      "b4e4c1fa8d11",
    ]
  `);
});

it('rows of a strip are found up to its very edges', () => {
  const layout = progressLayout(64, 900);
  const { left, right, strip } = layout;
  const at = (x: number, y: number) => rowAt(layout, 20, x, y);
  const middle = (strip.top + strip.bottom) / 2;
  expect([
    [left - 1, left, right, right + 1].map((x) => at(x, middle)),
    [strip.top - 1, strip.top, strip.bottom - 0.01, strip.bottom].map((y) => at(left, y)),
  ]).toEqual([
    [undefined, 10, 10, undefined],
    [undefined, 0, 19, undefined],
  ]);
});

it('bands of as many levels as a million nodes have are where they were', () => {
  const { scenario, world } = recordedRun({ nodes: 4 });
  const pins = [2, 6, 7, 14, 15, 20].map((levels) => {
    const layout = timeSpaceLayout({ scenario, world: { ...world, levels, nodes: 2 ** levels } }, 0, 900);
    return [layout, layout.bandY(1, 1), layout.bandY(2, -1)];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"b04a17c80b8c"`);
});

it('lanes of any number of provers, and maps of any number of nodes, are as high and as dense as they were', () => {
  const lanes = Array.from({ length: 150 }, (_, at) =>
    [undefined, 440].map((most) => rivalLayout(390, { subnets: at + 1, provers: at + 1, slotMs: 4000 }, most)),
  );
  const place = (latitude: number, longitude: number, count: number, from: number) => ({
    ...{ name: '', latitude, longitude },
    nodes: Array.from({ length: count }, (_, at) => from + at),
  });
  const apart = [place(84, -100, 1, 0), place(-50, 150, 1, 1), place(52, 13, 1, 2)];
  const maps = [
    mapLayout([], 0, 390),
    mapLayout(apart, 3, 390),
    mapLayout([...apart, place(51, 12, 40, 3), place(-50, 179, 200, 43)], 243, 900),
    mapLayout([place(0, 0, 20_000, 0)], 20_000, 900),
  ];
  expect([lanes, maps].map(digestOf)).toMatchInlineSnapshot(`
    [
      "4650e22c506e",
      "ca7fcfe5ea7e",
    ]
  `);
});
