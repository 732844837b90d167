import { type ColumnType, digestText } from './columnTypes.ts';

/** A cell of a table of results; null if the row has no value for the column. */
export type Cell = string | number | boolean | null;

/** A table of results: one row per run, slot or cell of a map, with the units in the columns' names. */
export interface ResultTable {
  /** Names in snake case with the unit at the end, such as `time_to_threshold_ms_mean`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Types of columns that another program reads. The names determine the types of all others. */
  readonly types?: Readonly<Record<string, ColumnType>>;
}

/**
 * Converts documents to one table. Each value inside a document is a column, named by its path
 * (`timeToThresholdMs.mean` is `time_to_threshold_ms_mean`). Columns are in the order in which they first occur. A list
 * becomes its JSON text.
 *
 * @param requireSize called with the numbers of columns and rows before the table is created.
 */
export function resultTable(
  documents: readonly object[],
  requireSize: (columns: number, rows: number) => void = () => {},
): ResultTable {
  const places = new Map<string, number>();
  const rows = documents.map((document) => {
    const row: Cell[] = [];
    for (const [path, value] of leaves(document)) {
      const column = columnName(path);
      if (!places.has(column)) places.set(column, places.size);
      row[places.get(column)!] = cellOf(column, value);
    }
    return row;
  });
  requireSize(places.size, rows.length);
  const columns = [...places.keys()];
  return { columns, rows: rows.map((row) => columns.map((_, place) => row[place] ?? null)) };
}

/** Returns the table with further columns that have the same value in each row. */
export function withColumns({ columns, rows }: ResultTable, more: Readonly<Record<string, Cell>>): ResultTable {
  const values = Object.values(more);
  return { columns: [...columns, ...Object.keys(more)], rows: rows.map((row) => [...row, ...values]) };
}

function* leaves(value: object, path: readonly string[] = []): Generator<readonly [readonly string[], unknown]> {
  for (const [name, inner] of Object.entries(value)) {
    const place = [...path, name];
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) yield* leaves(inner, place);
    else yield [place, inner];
  }
}

/**
 * Returns the column name of a path: `checkedInvalid.max` becomes `checked_invalid_max`. Digits remain attached to the
 * preceding word.
 */
function columnName(path: readonly string[]): string {
  return path
    .map((name) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[^A-Za-z0-9]+/g, '_'))
    .join('_')
    .toLowerCase();
}

function cellOf(column: string, value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return digestText(column, value);
  if (typeof value === 'boolean') return value;
  // JSON has no infinity, so an infinite number becomes null.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return JSON.stringify(value);
}
