import { expect, it } from 'vitest';
import { publishedTables } from './tables.ts';

const rows = publishedTables().flatMap((table) => table.rows);
const rowOf = (item: string) => rows.find((row) => row.item === item)!;

it('Pixel, tables 2 and 3, figure 4: printed values follow from their inputs, except for two of table 3', () => {
  const others = rows.filter(({ follows }) => follows === false).map(({ item }) => item);
  expect(others).toEqual([1500, 3000].map((n) => `Pixel, ${n}, on the line from 1 to 10000`));
});

it('Pixel, section 8: 1500 signatures have the length of 2667 times one', () => {
  expect(rowOf('1500 BM-Ed25519 signatures by one of Pixel')).toMatchObject({ paper: 2667, follows: true });
  expect(rowOf('1500 BM-Ed25519 signatures by one of Pixel').computed).toBeCloseTo(2666.67, 2);
});

it('Pixel, table 2: 4500 signatures over 100 connections take 61.8 MiB', () => {
  expect(rowOf('Pixel, 100 connections').computed).toBeCloseTo(61.798, 3);
});
