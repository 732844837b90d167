/**
 * Results for researchers: a {@link ResultTable} of runs or studies, with the units in the columns' names.
 * `@tutti/lab/parquet` writes a table to a file.
 *
 * @packageDocumentation
 */
import { screeningRefusals, version, wireRefusals } from '@tutti/core';
import { faultKinds, type RunPercentiles, type RunResult, type Scenario } from '@tutti/simulation';

/** A cell of a table of results; null if the row has no value for the column. */
export type Cell = string | number | boolean | null;

/** A table of results: one row per run, slot or cell of a map, with the units in the columns' names. */
export interface ResultTable {
  /** Names in snake case with the unit at the end, such as `time_to_threshold_ms_mean`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Types of columns that another program reads. The names of all other columns determine their types. */
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
export function withColumns(table: ResultTable, more: Readonly<Record<string, Cell>>): ResultTable {
  const values = Object.values(more);
  const columns = [...table.columns, ...Object.keys(more)];
  return { ...table, columns, rows: table.rows.map((row) => [...row, ...values]) };
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
  // JSON has no infinity, so an infinite number is written as null.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return JSON.stringify(value);
}

/** Types of Parquet columns. */
export type ColumnType = 'BOOLEAN' | 'INT32' | 'INT64' | 'DOUBLE' | 'STRING';

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Columns of type text; lists are stored as JSON texts. Fields of a scenario have the prefix `scenario_`. */
const texts = words(`
  key version command digest sha256 inputs ended name kind labels
  protocol tree weights priorities_by network dead_by scheme priorities window attacks attack_by faults without
  go_reference_quirks complete_graph_verification san_fermin_exhausted gossip_of
  preset distribution machine key_sums mode link origin assumed assumption proposal simulation question coding
  stake_total stake_live stake_required
  what unit measured source verdict cause slot_name
  story profile strategy objective ids plan again attack role region
`);

const truths = words('back_off jitter authenticated judged unfinished');

/**
 * Columns that are integers by definition. Any other count is a `DOUBLE`, since a column of means may have the same
 * name. A seed is an unsigned integer of 32 bits, which `INT32` cannot represent.
 */
const integers: Readonly<Record<string, ColumnType>> = { nodes: 'INT32', node: 'INT32', seed: 'INT64' };

/**
 * Returns the type of a column, which only depends on the column's name: tables of different runs therefore have the
 * same types, and can be joined. Returns undefined for a name that is not listed. The values determine the type of such
 * a column, which is `DOUBLE` unless the column contains texts or truth values.
 */
export function columnType(column: string): ColumnType | undefined {
  const name = column.replace(/^scenario_/, '');
  if (texts.has(name)) return 'STRING';
  if (truths.has(name)) return 'BOOLEAN';
  return Object.hasOwn(integers, name) ? integers[name] : undefined;
}

/** Prefixes of digests in a table, by the last word of the column's name. */
const digests: Readonly<Record<string, string>> = { digest: 'digest-', key: 'key-', sha256: 'sha256-' };

/**
 * Returns the cell of a digest, with a prefix before its digits. Some CSV readers would convert text that consists only
 * of hexadecimal digits, such as 12e4567890123456, to a number.
 */
export function digestText(column: string, cell: string): string {
  const word = column.split('_').at(-1)!;
  return Object.hasOwn(digests, word) && /^[0-9a-f]+$/.test(cell) ? `${digests[word]}${cell}` : cell;
}

/** Units of columns by words of their names. The last listed word in a name determines the unit. */
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

/** Xatu's name for the time of arrival, which is in milliseconds. */
const xatuArrival = 'propagation_slot_start_diff';

/** Returns the unit of a column by its name; undefined for counts, names and truth values. */
export function unitOf(column: string): string | undefined {
  if (column === xatuArrival) return 'ms';
  const word = column.split('_').findLast((one) => Object.hasOwn(byWord, one));
  return word === undefined ? undefined : byWord[word];
}

const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

const stakes = { total: null, live: null, required: null, signed: none(['min', 'mean', 'max']) };
const refusals = none([...new Set([...screeningRefusals, ...wireRefusals, 'forged'])]);
const injections = none([...faultKinds, 'missed']);

const ranks = none(['p50', 'p90', 'p99']);
const measures = ['timeToThresholdMs', 'messagesSent', 'messagesReceived', 'bytesSent', 'checked'] as const;

/** Adds percentiles to the measures of a run; runs of earlier versions have no percentiles. */
function withPercentiles(run: Pick<RunResult, (typeof measures)[number]>, percentiles?: RunPercentiles): object {
  return Object.fromEntries(measures.map((name) => [name, { ...run[name], ...ranks, ...percentiles?.[name] }]));
}

/**
 * Returns a run as a document for {@link resultTable}. The document has a field for every value that any run may have;
 * missing values are null. Tables of different sweeps therefore have the same columns.
 */
export function runDocument<R extends RunResult & { readonly inputs?: readonly object[] }>(of: R): object {
  const { inputs, stake, refused, injected, percentiles, ...run } = of;
  return {
    ...run,
    ...withPercentiles(run, percentiles),
    inputs: inputs ?? null,
    stake: stake ?? stakes,
    refused: { ...refusals, ...refused },
    injected: { ...injections, ...injected },
  };
}

/** A row of the map of the shortest slot: a system under some assumptions, and the simulated lengths. */
export interface MapCell {
  readonly preset: string;
  /** Length of the system's own slot, s. */
  readonly ownSeconds: number;
  /** Shortest slot with 99 % of the votes in the next block, s; null if none of the tried slots is sufficient. */
  readonly slotSeconds: number | null;
  readonly simulated: readonly {
    readonly slotSeconds: number;
    readonly inReachPercent: number;
    /** Whether a layer was unfinished when the next one began. */
    readonly unfinished?: boolean;
  }[];
}

/** Returns one document per simulated slot, for a table. @param settingOf returns further properties of the slot. */
export function mapRows<C extends MapCell>(
  cells: readonly C[],
  settingOf: (cell: C, slotSeconds: number) => object,
): object[] {
  return cells.flatMap((cell) =>
    cell.simulated.map(({ slotSeconds, inReachPercent, unfinished }) => ({
      preset: cell.preset,
      ...settingOf(cell, slotSeconds),
      ownSlotMs: 1000 * cell.ownSeconds,
      slotMs: 1000 * slotSeconds,
      inReachPercent,
      ...(unfinished === undefined ? {} : { unfinished }),
      shortestSlotMs: cell.slotSeconds === null ? null : 1000 * cell.slotSeconds,
    })),
  );
}

/**
 * Returns the text whose hash names a sweep's run: the canonical JSON of the scenario (including the seed), the version
 * and the input files. The name is the first 32 hexadecimal digits of the text's SHA-256. The caller computes the hash,
 * since each environment has its own implementation.
 */
export function pointText(scenario: Scenario, inputs?: readonly object[]): string {
  return canonicalJson({ scenario, version, inputs });
}

/** Returns JSON with the fields of each object in alphabetical order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`;
}
