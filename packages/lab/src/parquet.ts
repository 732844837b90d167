/**
 * Result tables as Parquet files. The writer has a separate entry point, so that a page loads it only when needed.
 *
 * @packageDocumentation
 */
import { expected } from '@tutti/core/input';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { type Cell, type ColumnType, columnType, type ResultTable, unitOf } from './results.ts';

/** Origin of a table. The file contains the origin, so that a figure of the table can be reproduced. */
export interface TableOrigin {
  /** Command as typed, without the name of the program. */
  readonly command: string;
  readonly version: string;
  /** Seed of a study whose rows do not contain it. */
  readonly seed?: number;
}

/**
 * Returns the table as a Parquet file. The file's metadata contains its origin: `tutti_command`, `tutti_version`,
 * `tutti_seed`, and `tutti_units` by column. The same table always produces the same bytes.
 *
 * @throws TypeError if a cell does not have its column's type.
 */
export function parquetBytes(
  { columns, rows, types }: ResultTable,
  { command, version, seed }: TableOrigin,
): Uint8Array<ArrayBuffer> {
  const buffer = parquetWriteBuffer({
    columnData: columns.map((name, place) =>
      columnOf(
        name,
        rows.map((row) => row[place]!),
        types?.[name],
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

/** Returns the units of the columns that have a unit, by column name. */
function unitsOf(columns: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const unit = unitOf(column);
      return unit === undefined ? [] : [[column, unit]];
    }),
  );
}

/** @param named type of the column if another program's schema determines it. */
function columnOf(name: string, cells: readonly Cell[], named: ColumnType | undefined): ColumnSource {
  const type = named ?? columnType(name) ?? unlistedType(cells);
  const data = cells.map((cell) => (cell === null ? null : asTyped(name, cell, type)));
  return { name, data, type, nullable: true };
}

function unlistedType(cells: readonly Cell[]): ColumnType {
  const isAll = (type: string) => cells.every((cell) => cell === null || typeof cell === type);
  if (isAll('number')) return 'DOUBLE';
  return isAll('boolean') ? 'BOOLEAN' : 'STRING';
}

function asTyped(name: string, cell: NonNullable<Cell>, type: ColumnType): NonNullable<Cell> | bigint {
  if (type === 'STRING') return String(cell);
  const isOfType = type === 'BOOLEAN' ? typeof cell === 'boolean' : typeof cell === 'number';
  if (
    !isOfType ||
    (type === 'INT32' && cell !== (cell as number) >> 0) ||
    (type === 'INT64' && !Number.isSafeInteger(cell))
  )
    throw new TypeError(expected(`column ${name}`, type, cell));
  return type === 'INT64' ? BigInt(cell) : cell;
}
