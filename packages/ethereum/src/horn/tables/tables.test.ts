import {
  type HornParameters,
  hornPresets,
  defaultHornParameters as post,
  runLengthCoding,
  sparseCoding,
} from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../../tests/sampled.ts';
import { hornTable, hornTableNames } from './tables.ts';

const codings = [sparseCoding, runLengthCoding];
const tables = hornTableNames.map((name) => ({ name, ...hornTable(name, codings) }));

describe.each(tables)("Horn's table $name", ({ rows, grids }) => {
  it('gives a reason for every figure of the post that does not follow', () => {
    for (const { item, follows, why } of rows) if (follows === false) expect(why, item).toMatch(/\.$/);
  });

  it('has finite figures, each item once, and a cell for each column', () => {
    expect(new Set(rows.map(({ item }) => item)).size).toBe(rows.length);
    for (const { item, exact } of rows) expect(Number.isFinite(exact), item).toBe(true);
    for (const { title, columns, rows } of grids) {
      for (const cells of rows) expect(cells, title).toHaveLength(columns.length);
      for (const cell of rows.flat()) expect(typeof cell === 'string' || Number.isFinite(cell), title).toBe(true);
    }
  });
});

it('hornTable refuses codings that are not a list of at least one', () => {
  expect(() => hornTable('bandwidth', [])).toThrow(/^codings: expected at least one/);
  expect(() => hornTable('bandwidth', undefined as never)).toThrow(TypeError);
});

it('the listed figures of the post do not follow, and all others do', () => {
  const missed = tables.flatMap(({ rows }) => rows.filter(({ follows }) => follows === false).map(({ item }) => item));
  expect(missed).toEqual([
    ...['collections per slot, 16 collectors per subcommittee', 'Horn: bitfields and two signatures each'],
    ...['speed gained by batched affine additions, in field multiplications'],
    ...['additions of the sum of half of the keys, relative to subtraction', 'Horn: storage per day with 12 s slots'],
    ...['Horn: storage per day with the proposed 22 s slots', "Eve's votes needed for this omission, N = 100"],
    ...['proof: its length for a committee, with the key'],
    ...['subcommittees per day without an honest aggregator, 2/3 honest'],
  ]);
});

it('simulated elections contain the closed form in their interval, for 1 to 32 aggregators', () => {
  const held = tables.find(({ name }) => name === 'election')!.grids.slice(1);
  expect(held).toHaveLength(2);
  for (const { rows } of held) {
    expect(rows.map(([aggregators]) => aggregators)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
    for (const [, , ...cells] of rows as number[][]) {
      const [least, most, none, , minHonest, maxHonest, noneHonest] = cells;
      expect(none).toBeGreaterThanOrEqual(least!);
      expect(none).toBeLessThanOrEqual(most!);
      expect(noneHonest).toBeGreaterThanOrEqual(minHonest!);
      expect(noneHonest).toBeLessThanOrEqual(maxHonest!);
    }
  }
});

describe("with parameters other than the post's", () => {
  const others: readonly Partial<HornParameters>[] = [
    { validators: 3, committees: 1, subcommittees: 3, aggregators: 1, collectors: 1 },
    { validators: 700, committees: 7, subcommittees: 4, aggregators: 25, collectors: 100 },
    { validators: 2 ** 14, committees: 4, subcommittees: 8, slotSeconds: 6, rounds: 4, addedSeconds: 0 },
    { validators: 2 ** 13, committees: 1, subcommittees: 16, signatureBytes: 48, multiplicityBits: 2, scalarBytes: 1 },
  ];

  it.each(isWhole ? others : others.slice(1, 2))('%j: each figure is finite, and none states agreement', (changes) => {
    for (const name of hornTableNames) {
      const { rows, grids } = hornTable(name, codings, { ...post, ...changes });
      for (const { item, exact, follows, why } of rows) {
        expect(Number.isFinite(exact), `${name}: ${item}`).toBe(true);
        expect([follows, why]).toEqual([undefined, undefined]);
      }
      for (const cell of grids.flatMap((grid) => grid.rows.flat()))
        expect(typeof cell === 'string' || Number.isFinite(cell), name).toBe(true);
    }
  });

  it('the content of current blocks follows Electra, not the count of the post (EIP-7549)', () => {
    const figure = (item: string, parameters = post): number =>
      hornTable('blocks', codings, parameters).rows.find((row) => row.item === item)!.exact;
    expect(figure('today, since Electra: an attestation')).toBe(128 + 96 + 4096 + 8);
    expect(figure('today, since Electra: attestations of a block')).toBe(8 * (128 + 96 + 4096 + 8));
    expect(figure('today, since Electra: storage per day')).toBe(7200 * 8 * 4328);
    expect(figure('before Electra: attestations of a block')).toBe(128 * 288);
    expect(figure('an attestation', { ...post, ...hornPresets.electra })).toBe(4328);
    const few = { ...post, validators: 2 ** 14, committees: 4, subcommittees: 8 };
    expect(figure('today, since Electra: an attestation', few)).toBe(128 + 96 + 512 + 1);
  });
});
