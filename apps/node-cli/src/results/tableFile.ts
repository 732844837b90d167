import { version } from '@tutti/core';
import { parquetBytes, type TableOrigin } from '@tutti/lab/parquet';
import { type Cell, type ResultTable, resultTable, withColumns } from '@tutti/lab/results';
import type { Command } from 'commander';
import { csvFormatRows } from 'd3-dsv';
import { commandLine } from '../context.ts';
import { badValue, flag, forceFlag, jsonFlag, optionOf } from '../flags.ts';
import { inputFiles, requirePlace, writeWhole } from '../output/files.ts';

/** Format of a table file, determined by the extension of its name. */
type TableForm = 'csv' | 'parquet';

/** Flags for the output of commands that usually print their results. */
export const outputFlags = {
  out: flag('<file>', 'also write a table to this .csv or .parquet file', tablePath),
  force: forceFlag,
  json: jsonFlag,
};

export const outOption = optionOf('out', outputFlags.out);

/** Returns a function that parses the name of a table file given with a flag. */
export function tablePath(name: string): (path: string) => string {
  return (path) => {
    if (tableForm(path) === undefined) throw badValue(name, 'a file name that ends in .csv or .parquet', path);
    return path;
  };
}

/** Checks, before any run starts, that the file of `--out` can be written. */
export function requireOut({
  out,
  force,
}: {
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
}): void {
  if (out !== undefined) requirePlace(out, force);
}

/**
 * Returns the format that the file name's extension determines.
 *
 * @returns undefined if the name ends in neither `.csv` nor `.parquet`.
 */
export function tableForm(path: string): TableForm | undefined {
  return /\.(csv|parquet)$/i.exec(path)?.[1]?.toLowerCase() as TableForm | undefined;
}

/**
 * Writes a table atomically. In a Parquet file, the table's origin is in the metadata (`tutti_command`,
 * `tutti_version`, `tutti_seed`, and `tutti_units` by column). In a CSV file, the table's origin is in the last
 * columns.
 *
 * @throws errors of `writeWhole`; TypeError for a cell whose type differs from that of its Parquet column.
 */
export function writeTable(path: string, table: ResultTable, origin: TableOrigin): void {
  writeWhole(path, tableForm(path) === 'parquet' ? parquetBytes(table, origin) : csvText(table, origin));
}

/**
 * If `--out` is given, writes the results of a study, one row per document. @param seed seed of a study whose rows do
 * not contain it.
 */
export function writeStudy(
  path: string | undefined,
  documents: () => readonly object[],
  command: Command,
  seed?: number,
): void {
  writeTableOf(path, () => resultTable(documents()), command, seed);
}

/** Writes a table like {@link writeStudy}. A table of a command that read files has their hashes in the column `inputs`. */
export function writeTableOf(
  path: string | undefined,
  table: () => ResultTable,
  command: Command,
  seed?: number,
): void {
  if (path === undefined) return;
  const files = inputFiles();
  const named = files === undefined ? table() : withColumns(table(), { inputs: JSON.stringify(files) });
  writeTable(path, named, { command: commandLine(command), version, ...(seed !== undefined && { seed }) });
}

/**
 * Formats a table according to RFC 4180. Numbers have JavaScript's format, which a reader converts back to the same
 * number.
 */
export function csvText(table: ResultTable, { command, version, seed }: TableOrigin): string {
  const complete = withColumns(table, {
    ...(seed !== undefined && !table.columns.includes('seed') && { seed }),
    ...(!table.columns.includes('version') && { version }),
    command,
  });
  const text = (cell: Cell) => (cell === null ? '' : String(cell));
  return `${csvFormatRows([[...complete.columns], ...complete.rows.map((row) => row.map(text))])}\n`;
}
