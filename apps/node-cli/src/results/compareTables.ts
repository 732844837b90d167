import type { Cell, ResultTable } from '@tutti/lab/results';
import { confidenceInterval, type Interval } from '@tutti/simulation';

/** One figure in one file, over the file's seeds. */
export interface Side {
  readonly mean: number;
  /** 95 % confidence interval of the mean; undefined for a single run. */
  readonly interval?: Interval;
  readonly runs: number;
}

/** Differences between runs with the same seed. */
export interface Paired {
  readonly pairs: number;
  readonly difference: number;
  /** 95 % confidence interval of the mean difference, by Student's t. */
  readonly interval: Interval;
}

/** One figure for one combination of inputs, in both files. */
export interface ComparedFigure {
  /**
   * Inputs that vary within a file, with their values, such as `scenario_nodes 64, scenario_dead 0.2`; empty if no
   * input varies.
   */
  readonly of: string;
  readonly figure: string;
  readonly a: Side;
  readonly b: Side;
  /** Change from a to b, as a share of a; undefined if a is 0. */
  readonly change?: number;
  /** Mean of b minus a over pairs of runs with the same seed, if both files have the same seeds. */
  readonly paired?: Paired;
  /**
   * Whether the figure changed. For paired runs: the interval of the difference excludes 0. For unpaired runs: the
   * intervals of a and b do not overlap, or, if a or b is a single run, the means differ.
   */
  readonly moved: boolean;
}

/** Comparison of two result files: common runs and differences. */
export interface Comparison {
  /**
   * Number of runs that both files contain: runs with the same seed and the same values of the inputs that vary within
   * a file. Inputs in `differing` have other values in the other file.
   */
  readonly shared: number;
  /** Number of common runs with equal digests, which are equal event for event. */
  readonly equalDigests: number;
  /** Inputs that have one value within each file, but different values in the two files. */
  readonly differing: readonly { readonly input: string; readonly a: Cell; readonly b: Cell }[];
  /** Combinations of inputs that only one of the two files contains. */
  readonly onlyIn: { readonly a: readonly string[]; readonly b: readonly string[] };
  readonly figures: readonly ComparedFigure[];
}

/** Columns that identify a row's run, and are not results. */
const names = new Set(['key', 'version', 'command', 'digest']);
const isSeed = (column: string) => /(^|_)seed$/.test(column);

/**
 * Compares the columns that two tables share, figure by figure. Inputs are the columns of a scenario (`scenario_...`),
 * columns with a text in either table, and the columns in `by`. Columns named `seed` or `..._seed` distinguish samples.
 * Any other column with numbers is a figure, except columns that identify runs, such as the digest.
 */
export function compareTables(a: ResultTable, b: ResultTable, by: readonly string[] = []): Comparison {
  const columns = a.columns.filter((column) => b.columns.includes(column) && !names.has(column) && !isSeed(column));
  const isInput = (column: string) =>
    by.includes(column) ||
    column.startsWith('scenario_') ||
    [a, b].some((table) => valuesOf(table, column).some((cell) => typeof cell === 'string'));
  const inputs = columns.filter(isInput);
  const constant = inputs.filter((input) => [a, b].every((table) => distinct(table, input).length === 1));
  const differing = constant
    .map((input) => ({ input, a: distinct(a, input)[0]!, b: distinct(b, input)[0]! }))
    .filter((one) => one.a !== one.b);
  const varied = inputs.filter((input) => !constant.includes(input));
  const [groupsA, groupsB] = [byKey(a, varied), byKey(b, varied)];
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
        const rowsA: RowsOf = [a, groupsA.get(of)!];
        const rowsB: RowsOf = [b, groupsB.get(of)!];
        const [one, other] = [sideOf(rowsA, figure), sideOf(rowsB, figure)];
        if (one === undefined || other === undefined) return [];
        return [compared(of, figure, one, other, pairedBy(rowsA, rowsB, figure))];
      }),
    ),
  };
}

function compared(of: string, figure: string, a: Side, b: Side, paired: Paired | undefined): ComparedFigure {
  const change = a.mean === 0 ? {} : { change: b.mean / a.mean - 1 };
  if (paired === undefined) return { of, figure, a, b, ...change, moved: apart(a, b) };
  const { low, high } = paired.interval;
  return { of, figure, a, b, ...change, paired, moved: low > 0 || high < 0 };
}

/** A table, and those of its rows that have the same inputs. */
type RowsOf = readonly [table: ResultTable, rows: readonly (readonly Cell[])[]];

/**
 * Returns the differences by seed; undefined unless the given rows of each table have each seed once, and both tables
 * have the same two or more seeds there.
 */
function pairedBy(a: RowsOf, b: RowsOf, figure: string): Paired | undefined {
  const [ofA, ofB] = [bySeed(a, figure), bySeed(b, figure)];
  if (ofA === undefined || ofB === undefined || ofA.size !== ofB.size) return undefined;
  const differences: number[] = [];
  for (const [seed, value] of ofA) {
    const other = ofB.get(seed);
    if (other === undefined) return undefined;
    differences.push(other - value);
  }
  const interval = confidenceInterval(differences);
  if (interval === undefined) return undefined;
  return { pairs: differences.length, difference: meanOf(differences), interval };
}

function bySeed([table, rows]: RowsOf, figure: string): ReadonlyMap<string, number> | undefined {
  const seeds = table.columns.filter(isSeed);
  const place = table.columns.indexOf(figure);
  const values = new Map<string, number>();
  for (const row of rows) {
    const [seed, value] = [nameOf(table, row, seeds), row[place]];
    if (seeds.length === 0 || typeof value !== 'number' || values.has(seed)) return undefined;
    values.set(seed, value);
  }
  return values;
}

function apart(a: Side, b: Side): boolean {
  if (a.interval === undefined || b.interval === undefined) return a.mean !== b.mean;
  return a.interval.high < b.interval.low || b.interval.high < a.interval.low;
}

/** Groups the rows of a table by the values of the varying inputs. */
function byKey(table: ResultTable, varied: readonly string[]): ReadonlyMap<string, readonly (readonly Cell[])[]> {
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

function sideOf([table, rows]: RowsOf, figure: string): Side | undefined {
  const place = table.columns.indexOf(figure);
  const values = rows.map((row) => row[place]).filter((cell) => typeof cell === 'number');
  if (values.length === 0) return undefined;
  const interval = confidenceInterval(values);
  return { mean: meanOf(values), runs: values.length, ...(interval === undefined ? {} : { interval }) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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
