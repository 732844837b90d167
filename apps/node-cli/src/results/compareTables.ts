import type { Cell, ResultTable } from '@tutti/lab/results';
import { confidenceInterval, type Interval } from '@tutti/simulation';

/** Figure of one file over its seeds. */
export interface Side {
  readonly mean: number;
  /** Interval of the mean with 95 % confidence; undefined for a single run. */
  readonly interval?: Interval;
  readonly runs: number;
}

/** One figure for one combination of inputs, in both files. */
export interface ComparedFigure {
  /** Inputs that vary within a file, such as `scenario_nodes 64, scenario_dead 0.2`; empty if none does. */
  readonly of: string;
  readonly figure: string;
  readonly a: Side;
  readonly b: Side;
  /** Change from a to b, as a share of a; undefined if a is 0. */
  readonly change?: number;
  /** True if the intervals of a and b are disjoint; for single runs, if their values differ. */
  readonly moved: boolean;
}

/** Comparison of two files of results: common runs and differences. */
export interface Comparison {
  /** Number of runs in both files with the same inputs and seed. */
  readonly shared: number;
  /** Number of those with equal digests: they are the same event for event. */
  readonly equalDigests: number;
  /** Inputs with one value per file, but different ones. */
  readonly differing: readonly { readonly input: string; readonly a: Cell; readonly b: Cell }[];
  /** Combinations of inputs in only one of the files. */
  readonly onlyIn: { readonly a: readonly string[]; readonly b: readonly string[] };
  readonly figures: readonly ComparedFigure[];
}

/** Columns that identify a row's run, and are no results. */
const names = new Set(['key', 'version', 'command', 'digest']);
const isSeed = (column: string) => /(^|_)seed$/.test(column);

/**
 * Compares two tables figure by figure. Inputs are the columns of a scenario (`scenario_...`), texts, and the columns
 * in `by`. The seed distinguishes samples, and any other number is a figure.
 */
export function compareTables(a: ResultTable, b: ResultTable, by: readonly string[] = []): Comparison {
  const columns = a.columns.filter((column) => b.columns.includes(column) && !names.has(column) && !isSeed(column));
  const isInput = (column: string) =>
    by.includes(column) ||
    column.startsWith('scenario_') ||
    valuesOf(a, column).some((cell) => typeof cell === 'string');
  const inputs = columns.filter(isInput);
  const constant = inputs.filter((input) => [a, b].every((table) => distinct(table, input).length === 1));
  const differing = constant
    .map((input) => ({ input, a: distinct(a, input)[0]!, b: distinct(b, input)[0]! }))
    .filter((one) => one.a !== one.b);
  const varied = inputs.filter((input) => !constant.includes(input));
  const [groupsA, groupsB] = [a, b].map((table) => grouped(table, varied)) as [Groups, Groups];
  const common = [...groupsA.keys()].filter((name) => groupsB.has(name));
  const figures = columns.filter((column) => !isInput(column));
  return {
    ...sharedRuns(a, b, varied),
    differing,
    onlyIn: {
      a: [...groupsA.keys()].filter((name) => !groupsB.has(name)),
      b: [...groupsB.keys()].filter((name) => !groupsA.has(name)),
    },
    figures: common.flatMap((of) =>
      figures.flatMap((figure) => {
        const [one, other] = [sideOf(a, groupsA.get(of)!, figure), sideOf(b, groupsB.get(of)!, figure)];
        return one === undefined || other === undefined ? [] : [compared(of, figure, one, other)];
      }),
    ),
  };
}

function compared(of: string, figure: string, a: Side, b: Side): ComparedFigure {
  const change = a.mean === 0 ? {} : { change: b.mean / a.mean - 1 };
  return { of, figure, a, b, ...change, moved: apart(a, b) };
}

function apart(a: Side, b: Side): boolean {
  if (a.interval === undefined || b.interval === undefined) return a.mean !== b.mean;
  return a.interval.high < b.interval.low || b.interval.high < a.interval.low;
}

type Groups = ReadonlyMap<string, readonly (readonly Cell[])[]>;

function grouped(table: ResultTable, varied: readonly string[]): Groups {
  const groups = new Map<string, (readonly Cell[])[]>();
  for (const row of table.rows) {
    const name = nameOf(table, row, varied);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}

function nameOf(table: ResultTable, row: readonly Cell[], columns: readonly string[]): string {
  return columns.map((column) => `${column} ${row[table.columns.indexOf(column)]}`).join(', ');
}

function valuesOf(table: ResultTable, column: string): Cell[] {
  const place = table.columns.indexOf(column);
  return table.rows.map((row) => row[place]!);
}

function distinct(table: ResultTable, column: string): Cell[] {
  return [...new Set(valuesOf(table, column))];
}

function sideOf(table: ResultTable, rows: readonly (readonly Cell[])[], figure: string): Side | undefined {
  const place = table.columns.indexOf(figure);
  const values = rows.map((row) => row[place]).filter((cell) => typeof cell === 'number');
  if (values.length === 0) return undefined;
  const interval = confidenceInterval(values);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, runs: values.length, ...(interval === undefined ? {} : { interval }) };
}

function sharedRuns(a: ResultTable, b: ResultTable, varied: readonly string[]) {
  const seeds = a.columns.filter(isSeed);
  const digestsOf = (table: ResultTable) => {
    const digest = table.columns.indexOf('digest');
    return new Map(
      table.rows.map((row) => [nameOf(table, row, [...varied, ...seeds]), digest < 0 ? null : row[digest]]),
    );
  };
  const [ofA, ofB] = [digestsOf(a), digestsOf(b)];
  const shared = [...ofA.keys()].filter((name) => ofB.has(name));
  const equal = shared.filter((name) => ofA.get(name) !== null && ofA.get(name) === ofB.get(name));
  return { shared: shared.length, equalDigests: equal.length };
}
