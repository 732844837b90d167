import { describe, expect, it } from 'vitest';
import { runLengthCoding } from '../bitfields/runLength.ts';
import { sparseCoding } from '../bitfields/sparse.ts';
import { hornTable, hornTableNames } from './tables.ts';

const codings = [sparseCoding, runLengthCoding];
const tables = hornTableNames.map((name) => ({ name, ...hornTable(name, codings) }));

describe.each(tables)("Horn's table $name", ({ rows, grids }) => {
  it('gives a reason wherever the post does not follow', () => {
    for (const { item, follows, why } of rows) if (follows === false) expect(why, item).toMatch(/\.$/);
  });

  it('has finite figures, each item once, and a cell for each column', () => {
    expect(new Set(rows.map(({ item }) => item)).size).toBe(rows.length);
    for (const { item, exact } of rows) expect(Number.isFinite(exact), item).toBe(true);
    for (const { title, columns, rows } of grids) {
      for (const cells of rows) {
        expect(cells, title).toHaveLength(columns.length);
        for (const cell of cells) expect(typeof cell === 'string' || Number.isFinite(cell), title).toBe(true);
      }
    }
  });
});

it("these and no others are the post's figures that do not follow", () => {
  const missed = tables.flatMap(({ rows }) => rows.filter(({ follows }) => follows === false).map(({ item }) => item));
  expect(missed).toEqual([
    'collections a slot, 16 collectors a subcommittee',
    'Horn: bitfields and two signatures each',
    'sum of half of the keys, by the same with subtraction',
    'Horn: a day, 12 s slots',
    'Horn: a day, the proposed 22 s slots',
    "Eve's votes spent on that, N = 100",
    'subcommittees a day without an honest aggregator, 2/3 honest',
    'weights out of reach without censoring, a first vote censored',
  ]);
});

it('elections that are held have the closed form within their interval, for 1 to 32 aggregators', () => {
  const held = tables.find(({ name }) => name === 'election')!.grids.slice(1);
  expect(held).toHaveLength(2);
  for (const { rows } of held) {
    expect(rows.map(([aggregators]) => aggregators)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
    for (const [, , ...cells] of rows as number[][]) {
      const [least, most, none, , leastHonest, mostHonest, noneHonest] = cells;
      expect(none).toBeGreaterThanOrEqual(least!);
      expect(none).toBeLessThanOrEqual(most!);
      expect(noneHonest).toBeGreaterThanOrEqual(leastHonest!);
      expect(noneHonest).toBeLessThanOrEqual(mostHonest!);
    }
  }
});

it('a table that does not exist is refused by name', () => {
  expect(() => hornTable('toString', codings)).toThrow(/^table: expected sizes or global-topic or .*, got "toString"$/);
});
