import { version } from '@tutti/core';
import { type Command, Option } from 'commander';
import { csvFormatRows } from 'd3-dsv';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { commandLine } from '../commandLine.ts';
import { badValue } from '../flags.ts';
import { requirePlace, writeWhole } from '../output/files.ts';
import { type Cell, type ResultTable, resultTable, withColumns } from './resultTable.ts';
import { unitsOf } from './units.ts';

/** How a table is written, by the ending of its file's name. */
export type TableForm = 'csv' | 'parquet';

/** What made a table: it is in the file, so that a figure drawn of it can be made again. */
export interface TableOrigin {
  /** As it was typed, without the name of the program. */
  readonly command: string;
  readonly version: string;
  /** Of a study whose rows do not each say theirs. */
  readonly seed?: number;
}

/** `--out` of commands that print their results otherwise. */
export const outOption = new Option('--out <file>', 'also write a table to this file, .csv or .parquet').argParser(
  tablePath('--out'),
);

/** The name of a file for a table, as a flag has it. */
export function tablePath(flag: string): (path: string) => string {
  return (path) => {
    if (tableForm(path) === undefined) throw badValue(flag, 'a name that ends in .csv or .parquet', path);
    return path;
  };
}

/** Before anything is played: whether there is a place for what `--out` asks for. */
export function requireOut({
  out,
  force,
}: {
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
}): void {
  if (out !== undefined) requirePlace(out, force);
}

/** @returns undefined for a name that ends in neither `.csv` nor `.parquet`. */
export function tableForm(path: string): TableForm | undefined {
  return /\.(csv|parquet)$/i.exec(path)?.[1]?.toLowerCase() as TableForm | undefined;
}

/**
 * Writes a table whole or not at all. In Parquet, what made it is the file's metadata (`tutti_command`,
 * `tutti_version`, `tutti_seed`, and `tutti_units`: by column); a CSV file has no place for it but last columns.
 *
 * @throws WorldError as {@link writeWhole}.
 */
export function writeTable(path: string, table: ResultTable, origin: TableOrigin): void {
  writeWhole(path, tableForm(path) === 'parquet' ? parquetBytes(table, origin) : csvText(table, origin));
}

/** Writes what a study has found, where `--out` asks for it: a row a document. */
export function writeStudy(
  path: string | undefined,
  documents: () => readonly object[],
  command: Command,
  seed?: number,
): void {
  writeTableOf(path, () => resultTable(documents()), command, seed);
}

/** The same of a table. */
export function writeTableOf(
  path: string | undefined,
  table: () => ResultTable,
  command: Command,
  seed: number | undefined,
): void {
  if (path === undefined) return;
  writeTable(path, table(), { command: commandLine(command), version, ...(seed !== undefined && { seed }) });
}

/** By RFC 4180, numbers as JavaScript writes them, which reads back as the same number. */
export function csvText(table: ResultTable, { command, version, seed }: TableOrigin): string {
  const told = withColumns(table, {
    ...(seed !== undefined && !table.columns.includes('seed') && { seed }),
    ...(!table.columns.includes('version') && { version }),
    command,
  });
  const text = (cell: Cell) => (cell === null ? '' : String(cell));
  return `${csvFormatRows([[...told.columns], ...told.rows.map((row) => row.map(text))])}\n`;
}

/** The same table gives the same bytes. */
export function parquetBytes({ columns, rows }: ResultTable, { command, version, seed }: TableOrigin): Uint8Array {
  const buffer = parquetWriteBuffer({
    columnData: columns.map((name, place) =>
      columnOf(
        name,
        rows.map((row) => row[place]!),
      ),
    ),
    kvMetadata: [
      { key: 'tutti_command', value: `tutti ${command}` },
      { key: 'tutti_version', value: version },
      ...(seed === undefined ? [] : [{ key: 'tutti_seed', value: String(seed) }]),
      { key: 'tutti_units', value: JSON.stringify(unitsOf(columns)) },
    ],
    createdBy: `tutti ${version}`,
  });
  return new Uint8Array(buffer);
}

/** A column has the narrowest type that holds all that is in it. */
function columnOf(name: string, cells: readonly Cell[]): ColumnSource {
  const nullable = cells.includes(null);
  const type = typeOf(cells.filter((cell) => cell !== null));
  return { name, data: cells.map((cell) => (cell === null ? null : asTyped(cell, type))), type, nullable };
}

type ColumnType = 'BOOLEAN' | 'INT32' | 'INT64' | 'DOUBLE' | 'STRING';

function asTyped(cell: NonNullable<Cell>, type: ColumnType): NonNullable<Cell> | bigint {
  if (type === 'STRING') return String(cell);
  return type === 'INT64' ? BigInt(cell) : cell;
}

function typeOf(cells: readonly NonNullable<Cell>[]): ColumnType {
  if (cells.length === 0) return 'STRING';
  if (cells.every((cell) => typeof cell === 'boolean')) return 'BOOLEAN';
  if (!cells.every((cell) => typeof cell === 'number')) return 'STRING';
  if (!cells.every(Number.isSafeInteger)) return 'DOUBLE';
  return cells.every((cell) => Math.abs(cell) < 2 ** 31) ? 'INT32' : 'INT64';
}
