import { readFileSync } from 'node:fs';
import { type Cell, columnType, type ResultTable } from '@tutti/lab/results';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { documentFrom, refusalOf, runMain, silent } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { completed } from '../commands/completion.ts';
import { knownExtensions } from '../extensions.ts';
import { program } from '../main.ts';
import { readTable } from './readTable.ts';
import { outOption } from './tableFile.ts';

const { at, write } = temporaryFiles();

const studies = completed(await program(silent)).filter(
  ({ path, flags }) =>
    !Object.hasOwn(knownExtensions, path.split(' ')[0]!) && flags.some(({ about }) => about === outOption.description),
);

/** Returns the words of a study's command. One study reads a file that its first argument names. */
const wordsOf = (path: string) => [...path.split(' '), ...(path === 'slots compare-simulators' ? ['none.yaml'] : [])];

async function study(ending: 'csv' | 'parquet', line: string) {
  const path = at(`study.${ending}`);
  const document = await documentFrom(`${line} --out ${path} --force`);
  const table = await readTable(path);
  expectListed(table);
  return { path, table, document };
}

/** Checks that the names of columns of texts and Boolean values determine their types, not the values. */
function expectListed({ columns, rows }: ResultTable): void {
  const unlisted = columns.filter(
    (name, place) =>
      columnType(name) === undefined && rows.some((row) => row[place] !== null && typeof row[place] !== 'number'),
  );
  expect(unlisted).toEqual([]);
}

const column = ({ columns, rows }: ResultTable, name: string): Cell[] => {
  expect(columns).toContain(name);
  return rows.map((row) => row[columns.indexOf(name)]!);
};

describe('tables of studies', () => {
  it('are those of the commands that docs/guides/export-results.md names', () => {
    const docs = readFileSync(new URL('../../../../docs/guides/export-results.md', import.meta.url), 'utf8');
    const named = [...docs.matchAll(/`((?:horn|lean|slots) [a-z-]+|attack [a-z]+)`/g)].map(([, name]) => name!);
    expect([...new Set(named)].sort()).toEqual(studies.map(({ path }) => path).sort());
  });

  it.each(studies)('$path keeps an existing file, unless forced', async ({ path, flags }) => {
    expect(flags.map(({ flag }) => flag)).toContain('--force');
    const file = write(`${path.replaceAll(' ', '-')}-old.csv`, 'mine');
    const line = `${file}: exists already; use --force to replace it, or another name`;
    expect(refusalOf(await runMain([...wordsOf(path), '--out', file]), 1)).toBe(line);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it.each(studies)('$path accepts only .csv and .parquet', async ({ path }) => {
    expect(refusalOf(await runMain([...wordsOf(path), '--out', 'table.txt']))).toBe(
      '--out: expected a file name that ends in .csv or .parquet, got "table.txt"',
    );
  });

  it('horn open-questions writes codings, then elections, with the command that wrote them', async () => {
    const { path, table, document } = await study('parquet', 'horn open-questions --slots 2 --seeds 1');
    const { changes, elections } = document;
    expect(column(table, 'question')).toEqual([...changes.map(() => 'coding'), ...elections.map(() => 'election')]);
    const lesser = changes.map((one: { lesser: { mean: number } }) => one.lesser.mean);
    expect(column(table, 'lesser_bytes')).toEqual([...lesser, ...elections.map(() => null)]);
    const aimed = elections.map((one: { aimed: number }) => one.aimed);
    expect(column(table, 'aimed_aggregators').slice(changes.length)).toEqual(aimed);
    const { key_value_metadata } = parquetMetadata(new Uint8Array(readFileSync(path)).buffer);
    const value = expect.stringMatching(/^tutti horn open-questions --slots 2/);
    expect(key_value_metadata).toContainEqual({ key: 'tutti_command', value });
  });

  it.runIf(isWhole)("horn systems writes one system on the post's assumptions per row", async () => {
    const small = '--preset post --nodes 512 --committees 2 --subcommittees 4 --seeds 1';
    const { table, document } = await study('csv', `horn systems ${small}`);
    expect(column(table, 'preset')).toEqual(document.systems.map(({ system }: { system: string }) => system));
    const reach = document.systems.map(({ reachMs }: { reachMs: { mean: number } }) => reachMs.mean);
    expect(column(table, 'reach_ms')).toEqual(reach);
    expect(new Set(column(table, 'assumed'))).toEqual(new Set(['post']));
    expect(new Set(column(table, 'validators'))).toEqual(new Set([512]));
  });

  it('attack search and attack table write one attack per row, with the names of a sweep', async () => {
    const search = await study('csv', 'attack search --nodes 16 --jobs 1 --tries 3');
    const [{ worst }] = search.document.classes;
    const times = worst.map(({ meanMs }: { meanMs: number }) => meanMs);
    expect(column(search.table, 'time_to_threshold_ms_mean')).toEqual(times);
    expect(column(search.table, 'rank')).toEqual([1, 2, 3]);
    const line = `attack table --nodes 16 --jobs 1 --shares 0.3 --run-folder ${at('runs')}`;
    const { table, document } = await study('parquet', line);
    const of = (name: string) => document.cells.map((cell: Record<string, Cell>) => cell[name]);
    expect(column(table, 'attack')).toEqual(of('attack'));
    expect(column(table, 'time_to_threshold_ms_max')).toEqual(of('maxMs'));
    expect(column(table, 'times_silence')).toEqual(of('times'));
    expect(column(table, 'judged')).toContain(false);
  });
});
