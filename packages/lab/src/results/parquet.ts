import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { Cell, ResultTable } from './resultTable.ts';

/** Units of columns, by the words of their names; the last such word decides. */
const byWord: Readonly<Record<string, string>> = {
  ns: 'ns',
  us: 'us',
  ms: 'ms',
  seconds: 's',
  bytes: 'B',
  mbps: 'Mbit/s',
  percent: '%',
  share: '1',
};

/** Units of columns with a name of another project: Xatu's for the time of arrival. */
const byName: Readonly<Record<string, string>> = { propagation_slot_start_diff: 'ms' };

/** Returns the unit of a column by its name; undefined for counts, names and booleans. */
function unitOf(column: string): string | undefined {
  const word = column.split('_').findLast((one) => Object.hasOwn(byWord, one));
  return byName[column] ?? (word === undefined ? undefined : byWord[word]);
}

/** Returns the units of those columns that have one. */
function unitsOf(columns: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const unit = unitOf(column);
      return unit === undefined ? [] : [[column, unit]];
    }),
  );
}

/** Origin of a table. The file contains it, so that a figure of the table can be reproduced. */
export interface TableOrigin {
  /** Command as typed, without the name of the program. */
  readonly command: string;
  readonly version: string;
  /** Seed of a study whose rows do not contain it. */
  readonly seed?: number;
}

/**
 * Writes the table as a Parquet file. The file's metadata has its origin: `tutti_command`, `tutti_version`,
 * `tutti_seed`, and `tutti_units`, by column. The same table gives the same bytes.
 */
export function parquetBytes(
  { columns, rows }: ResultTable,
  { command, version, seed }: TableOrigin,
): Uint8Array<ArrayBuffer> {
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

/** Returns a column with the narrowest type for all of its values. */
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
