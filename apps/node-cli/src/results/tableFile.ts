import { csvFormatRows } from 'd3-dsv';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { writeWhole } from '../output/files.ts';
import { type Cell, type ResultTable, withColumns } from './resultTable.ts';

/** How a table is written, by the ending of its file's name. */
export type TableForm = 'csv' | 'parquet';

/** What made a table: it is in the file, so that a figure drawn of it can be made again. */
export interface TableOrigin {
  /** As it was typed, without the name of the program. */
  readonly command: string;
  readonly version: string;
}

/** @returns undefined for a name that ends in neither `.csv` nor `.parquet`. */
export function tableForm(path: string): TableForm | undefined {
  return /\.(csv|parquet)$/i.exec(path)?.[1]?.toLowerCase() as TableForm | undefined;
}

/**
 * Writes a table whole or not at all. In Parquet, what made it is the file's metadata (`tutti_command`,
 * `tutti_version`); a CSV file has no place for it but two last columns.
 *
 * @throws WorldError as {@link writeWhole}.
 */
export function writeTable(path: string, table: ResultTable, origin: TableOrigin): void {
  writeWhole(path, tableForm(path) === 'parquet' ? parquetBytes(table, origin) : csvText(table, origin));
}

/** By RFC 4180, numbers as JavaScript writes them, which reads back as the same number. */
export function csvText(table: ResultTable, { command, version }: TableOrigin): string {
  const told = withColumns(table, table.columns.includes('version') ? { command } : { version, command });
  const text = (cell: Cell) => (cell === null ? '' : String(cell));
  return `${csvFormatRows([[...told.columns], ...told.rows.map((row) => row.map(text))])}\n`;
}

/** The same table gives the same bytes. */
export function parquetBytes({ columns, rows }: ResultTable, { command, version }: TableOrigin): Uint8Array {
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
    ],
    createdBy: `tutti ${version}`,
  });
  return new Uint8Array(buffer);
}

/** A column has the narrowest type that holds all that is in it. */
function columnOf(name: string, cells: readonly Cell[]): ColumnSource {
  const nullable = cells.includes(null);
  const type = typeOf(cells.filter((cell) => cell !== null));
  const data = type === 'STRING' ? cells.map((cell) => (cell === null ? null : String(cell))) : [...cells];
  return { name, data, type, nullable };
}

function typeOf(cells: readonly NonNullable<Cell>[]): 'BOOLEAN' | 'INT32' | 'DOUBLE' | 'STRING' {
  if (cells.length === 0) return 'STRING';
  if (cells.every((cell) => typeof cell === 'boolean')) return 'BOOLEAN';
  if (!cells.every((cell) => typeof cell === 'number')) return 'STRING';
  return cells.every((cell) => Number.isInteger(cell) && Math.abs(cell) < 2 ** 31) ? 'INT32' : 'DOUBLE';
}
