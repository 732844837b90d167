import { likeliest } from '@tutti/core/input';
import { type Plot, type PlottedPoint, plotSvg } from '@tutti/lab/drawing';
import { type Cell, type ResultTable, unitOf } from '@tutti/lab/results';
import { Command } from 'commander';
import { type Context, UsageError, warn } from '../context.ts';
import { type FlagsOf, flag, forceFlag, required, toggle, withFlags, words } from '../flags.ts';
import { isStandardOutput, requirePlace, writeWhole } from '../output/files.ts';
import { readTable } from '../results/readTable.ts';

const plotFlags = {
  x: required('<column>', 'column for the horizontal axis; the prefix scenario_ is optional', words),
  y: required(
    '<column>',
    'numeric column; "time" selects the mean time to the threshold; the suffix _mean is optional',
    words,
  ),
  by: flag('<column>', 'column whose values define the series', words),
  log: toggle('use a logarithmic horizontal axis'),
  svg: flag('<file>', 'file for the drawing; - for standard output', words, '-'),
  force: forceFlag,
  json: toggle('print the numbers behind the marks as one JSON document; the drawing is written only with --svg'),
};

type PlotOptions = FlagsOf<typeof plotFlags>;

/** Output of `tutti plot --json`: the values of all marks. */
interface PlotDocument extends Plot {
  readonly file: string;
}

export function plotCommand(context: Context): Command {
  const command = new Command('plot')
    .description('Plot one column of results against another as SVG. Each mark is a mean over seeds.')
    .argument('<file>', "results: a .csv or .parquet file, or the .jsonl file of 'tutti sweep'");
  return withFlags(command, plotFlags).action(async (file: string, options: PlotOptions) => {
    const isFile = !isStandardOutput(options.svg);
    requirePlace(options.svg, options.force);
    const plot = plotOf(file, await readTable(file), options);
    if (isFile) writeWhole(options.svg, plotSvg(plot));
    if (options.json) context.out(`${JSON.stringify({ file, ...plot } satisfies PlotDocument)}\n`);
    else if (!isFile) context.out(plotSvg(plot));
  });
}

/** Columns by their short names. */
const shortNames: Readonly<Record<string, string>> = { time: 'time_to_threshold_ms' };

/**
 * Returns the column to which a name refers, which may omit the prefix `scenario_` or the suffix `_mean`.
 *
 * @throws UsageError if the name matches no column; the error contains the most similar column or a list of the
 * columns.
 */
function columnOf({ columns }: ResultTable, flag: string, name: string): string {
  const plain = (shortNames[name] ?? name)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toLowerCase();
  const found = [plain, `scenario_${plain}`, `${plain}_mean`].find((one) => columns.includes(one));
  if (found !== undefined) return found;
  const meant = likeliest(plain, columns) ?? columns.find((column) => column.includes(plain));
  const advice = meant === undefined ? `; the columns are ${columns.join(', ')}` : ` (Did you mean ${meant}?)`;
  throw new UsageError(`${flag}: expected a column, got ${JSON.stringify(name)}${advice}`);
}

function plotOf(file: string, table: ResultTable, options: PlotOptions): Plot {
  const [x, y] = [columnOf(table, '--x', options.x), columnOf(table, '--y', options.y)];
  const by = options.by === undefined ? undefined : columnOf(table, '--by', options.by);
  const [xPlace, yPlace, byPlace] = [x, y, by].map((column) => table.columns.indexOf(column ?? ''));
  const series = new Map<string, Map<number | string, number[]>>();
  for (const row of table.rows) {
    const [at, value] = [row[xPlace!]!, row[yPlace!]!];
    if (at === null || value === null) continue;
    if (typeof value !== 'number') throw new UsageError(`--y: expected a numeric column, got ${y}`);
    const name = by === undefined ? y : String(row[byPlace!] ?? 'none');
    const points = series.get(name) ?? new Map<number | string, number[]>();
    series.set(name, points);
    const key = typeof at === 'number' ? at : String(at);
    const values = points.get(key);
    if (values === undefined) points.set(key, [value]);
    else values.push(value);
  }
  if (series.size === 0) throw new UsageError(`${file}: expected a row with ${x} and ${y}, got none`);
  const places = [...series.values()].flatMap((points) => [...points.keys()]);
  const isNumeric = places.every((at) => typeof at === 'number');
  // A logarithmic axis has no place for 0.
  if (options.log && !places.every((at) => isNumeric && Number(at) > 0))
    throw new UsageError(`--log: expected a column of positive numbers as --x, got ${x}`);
  warnOfUndrawn(file, table, [x, ...(by === undefined ? [] : [by])]);
  const axis = (column: string) => ({ label: column.replaceAll('_', ' '), unit: unitOf(column) ?? '' });
  return {
    title: `${y.replaceAll('_', ' ')} by ${x.replaceAll('_', ' ')}`,
    x: { ...axis(x), scale: isNumeric ? (options.log ? 'log' : 'linear') : 'names' },
    y: { ...axis(y), scale: 'linear' },
    series: Array.from(series, ([name, points]) => ({ name, points: pointsOf(points, isNumeric) })),
  };
}

function pointsOf(points: ReadonlyMap<number | string, number[]>, isNumeric: boolean): PlottedPoint[] {
  const all = Array.from(points, ([x, values]) => ({ x, values }));
  return isNumeric ? all.sort((a, b) => Number(a.x) - Number(b.x)) : all;
}

/** Warns about inputs that vary but are not drawn, because each mark is then a mean over the values of those inputs. */
function warnOfUndrawn(file: string, { columns, rows }: ResultTable, drawn: readonly string[]): void {
  const others = columns.filter((column, place) => {
    if (!column.startsWith('scenario_') || column === 'scenario_seed' || drawn.includes(column)) return false;
    return new Set<Cell>(rows.map((row) => row[place]!)).size > 1;
  });
  if (others.length > 0)
    warn(`${file}: each mark is also a mean over ${others.join(', ')}; use --by with one of these columns`);
}
