import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { EnvironmentError, shownValue } from '@tutti/core/input';
import { type Cell, columnType, digestText, type ResultTable, resultTable, runDocument } from '@tutti/lab/results';
import { csvParseRows } from 'd3-dsv';
import { decompress } from 'fzstd';
import { type Compressors, parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { readBytes, readWhole, textOf } from '../output/files.ts';
import { parseResultLine, type SweepResult } from '../sweep/resultFile.ts';
import { tableForm } from './tableFile.ts';
import { requireParquetSize, requireTableSize, TooLargeTable } from './tableSize.ts';

/**
 * Reads results of an earlier command: a table in CSV or Parquet, or the output of `tutti sweep`, one line per run.
 *
 * @throws EnvironmentError `cannot-read`; `not-utf8`; `not-results` for a file with other content; `too-large` for a
 * table with too many columns or cells.
 */
export async function readTable(path: string): Promise<ResultTable> {
  const form = tableForm(path);
  if (form === undefined) return sized(path, () => resultTable(readRuns(path).map(runDocument), requireTableSize));
  return form === 'csv' ? tableOfCsv(path, readWhole(path)) : tableOfParquet(path, readBytes(path));
}

function notResults(path: string, expected: string, got: unknown, cause?: unknown): EnvironmentError {
  return new EnvironmentError('not-results', `${path}: expected ${expected}, got ${shownValue(got)}`, { cause });
}

/** Adds the file's name to an error about the table's size. */
function sized<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof TooLargeTable ? tooLarge(path, error) : error;
  }
}

function tooLarge(path: string, cause: TooLargeTable): EnvironmentError {
  return new EnvironmentError('too-large', `${path}: expected a table, got ${cause.message}`, { cause });
}

function tableOfCsv(path: string, text: string): ResultTable {
  let width = 0;
  const [columns = [], ...lines] = sized(path, () =>
    csvParseRows(text, (row, index) => {
      if (index === 0) width = row.length;
      requireTableSize(width, index);
      return row;
    }),
  );
  requireDistinct(path, columns);
  const uneven = lines.findIndex((line) => line.length !== columns.length);
  if (uneven >= 0)
    throw notResults(path, `${columns.length} cells in line ${uneven + 2}, as in the header`, lines[uneven]!.length);
  return { columns, rows: lines.map((line) => line.map((text, place) => cellOf(columns[place]!, text))) };
}

/** Checks that each column name occurs once, since a name must select one column. */
function requireDistinct(path: string, columns: readonly string[]): void {
  const again = columns.find((name, place) => columns.indexOf(name) < place);
  if (again !== undefined) throw notResults(path, 'a distinct name for each column', again);
}

/**
 * Converts a cell of a CSV file. If the column's name marks it as a text column, the cell remains text. In other
 * columns, numbers and Boolean values (pandas writes True and False) are converted, and everything else remains text.
 */
function cellOf(column: string, text: string): Cell {
  if (text === '') return null;
  if (columnType(column) === 'STRING') return digestText(column, text);
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

/** Decompression for files from other programs, in addition to snappy, which hyparquet supports itself. */
const compressors: Compressors = {
  ZSTD: (packed, length) => decompress(packed, new Uint8Array(length)),
  // A page that contains only nulls has no bytes, and zlib does not accept a limit of 0.
  GZIP: (packed, length) => gunzipSync(packed, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (packed, length) => brotliDecompressSync(packed, { maxOutputLength: Math.max(1, length) }),
};

async function tableOfParquet(path: string, bytes: Buffer): Promise<ResultTable> {
  try {
    const file = new Uint8Array(bytes).buffer;
    requireParquetSize(file, compressors);
    const { children } = parquetSchema(parquetMetadata(file));
    const columns = children.map(({ element }) => element.name);
    requireDistinct(path, columns);
    const rows = await parquetReadObjects({ file, compressors });
    return { columns, rows: rows.map((row) => columns.map((column) => plain(column, row[column]))) };
  } catch (cause) {
    if (cause instanceof TooLargeTable) throw tooLarge(path, cause);
    if (cause instanceof EnvironmentError) throw cause;
    throw notResults(path, 'a Parquet file', (cause as Error).message, cause);
  }
}

/**
 * Converts a Parquet value to a cell. A 64-bit integer becomes a number, which is exact up to 2^53; a time becomes text
 * in ISO format; any other object becomes JSON.
 */
function plain(column: string, value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return digestText(column, value);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}

/**
 * Reads the output of `tutti sweep`, in the order in which the runs ended.
 *
 * @throws EnvironmentError `cannot-read`; `not-utf8`; `not-results` for a file with other content or without a run.
 */
export function readRuns(path: string): SweepResult[] {
  const bytes = readBytes(path);
  const wholeBytes = bytes.lastIndexOf('\n') + 1;
  const lines = textOf(path, bytes.subarray(0, wholeBytes)).split('\n');
  lines[lines.length - 1] = bytes.toString('utf8', wholeBytes);
  // An incomplete last line belongs to a run that a sweep is writing, and does not count. A complete last line without
  // a line break, as some editors leave it, counts.
  if (parseResultLine(lines.at(-1)!) === undefined) lines.pop();
  const runs = lines.map((line, index) => {
    const result = parseResultLine(line);
    if (result === undefined)
      throw notResults(path, `a .csv or .parquet file, or a result of 'tutti sweep' in line ${index + 1}`, line);
    const { crc32: _, ...run } = result as SweepResult & { readonly crc32?: string };
    return run;
  });
  if (runs.length === 0)
    throw notResults(path, "a .csv or .parquet file, or results of 'tutti sweep'", 'no whole line');
  return runs;
}
