import { type ColumnType, digestText } from './columnTypes.ts';

/** A cell of a table of results; null where a row has nothing there. */
export type Cell = string | number | boolean | null;

/** Results as researchers read them: a line a run, a slot or a cell of a map, the columns' names with their units. */
export interface ResultTable {
  /** In snake case with the unit at the end, such as `time_to_threshold_ms_mean`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Types of columns in a form that another program reads; the names decide those of all others. */
  readonly types?: Readonly<Record<string, ColumnType>>;
}

/**
 * Lays documents out as one table: a column for each value within, named by its path (`timeToThresholdMs.mean` is
 * `time_to_threshold_ms_mean`), in the order in which they first occur. A list is its JSON text, and a digest has a word
 * before its digits.
 *
 * @param requireSize is told how many columns and rows there will be, before the table is made.
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

/** The table with the same value in further columns of each row. */
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

/** `checkedInvalid.max` as `checked_invalid_max`; digits stay with the word before them. */
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
  // JSON has no infinity; a table need not invent one.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return JSON.stringify(value);
}
