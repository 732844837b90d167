import { version } from '@tutti/core';
import { parquetBytes, type TableOrigin } from '@tutti/lab/parquet';
import { type Cell, type ResultTable, resultTable, withColumns } from '@tutti/lab/results';
import { type Command, Option } from 'commander';
import { csvFormatRows } from 'd3-dsv';
import { commandLine } from '../commandLine.ts';
import { badValue } from '../flags.ts';
import { requirePlace, writeWhole } from '../output/files.ts';
import { inputFiles } from '../output/inputs.ts';

/** How a table is written, by the ending of its file's name. */
export type TableForm = 'csv' | 'parquet';

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

/** Before anything is run: whether there is a place for what `--out` asks for. */
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
  const files = inputFiles();
  const named = files === undefined ? table() : withColumns(table(), { inputs: JSON.stringify(files) });
  writeTable(path, named, { command: commandLine(command), version, ...(seed !== undefined && { seed }) });
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
