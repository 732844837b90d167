import type { ResultTable } from '@tutti/lab/results';
import { Command } from 'commander';
import { answer, type Context, UsageError } from '../context.ts';
import { type FlagsOf, flag, jsonFlag, requireOneForm, toggle, withFlags } from '../flags.ts';
import { columnTable, counted, grouped, markdownTable, wrapped } from '../output/text.ts';
import { type ComparedFigure, type Comparison, compareTables, type Side } from '../results/compareTables.ts';
import { readTable } from '../results/readTable.ts';

const compareFlags = {
  by: flag(
    '<columns>',
    'additional columns to treat as inputs instead of results, comma-separated',
    () => (text) => text.split(',').filter((column) => column !== ''),
  ),
  all: toggle('also list all minima, maxima and percentiles, and the figures that did not change'),
  markdown: toggle('print a Markdown table for a pull request'),
  json: jsonFlag,
};

type Flags = FlagsOf<typeof compareFlags>;

/** Output of `tutti compare --json`. */
interface CompareDocument extends Comparison {
  readonly files: { readonly a: string; readonly b: string };
}

export function compareCommand(context: Context): Command {
  const command = new Command('compare')
    .description(
      'Compare the results of two versions or two scenarios, and list the figures that changed beyond their confidence intervals.',
    )
    .argument('<a>', "the first results: a .csv or .parquet file, or the .jsonl file of 'tutti sweep'")
    .argument('<b>', 'the second results, in one of the same formats');
  return withFlags(command, compareFlags).action(async (a: string, b: string, flags: Flags) => {
    requireOneForm(flags);
    const [tableA, tableB] = [await readTable(a), await readTable(b)];
    for (const column of flags.by ?? []) requireColumn(column, [a, tableA], [b, tableB]);
    const document = { files: { a, b }, ...compareTables(tableA, tableB, flags.by) };
    answer(context, flags.json, document, flags.markdown ? markdown(document, flags) : words(document, flags));
  });
}

function requireColumn(column: string, ...files: readonly (readonly [path: string, table: ResultTable])[]): void {
  const without = files.find(([, { columns }]) => !columns.includes(column));
  if (without === undefined) return;
  const [path, { columns }] = without;
  throw new UsageError(`--by: expected columns of ${path} (${columns.join(', ')}), got ${JSON.stringify(column)}`);
}

/**
 * Returns the figures in the order of the file: all figures if requested, otherwise the changed figures. Minima, maxima
 * and percentiles are omitted if their mean also changed.
 */
function listedFigures({ figures }: Comparison, { all }: Flags): readonly ComparedFigure[] {
  if (all) return figures;
  const moved = figures.filter((one) => one.moved);
  const places = new Set(moved.map(({ of, figure }) => `${of} ${figure}`));
  return moved.filter(({ of, figure }) => {
    const mean = figure.replace(/_(min|max|p\d+)$/, '_mean');
    return mean === figure || !places.has(`${of} ${mean}`);
  });
}

/** Describes the changed figures that are not listed; empty if there are none. */
function hiddenText({ figures }: Comparison, listed: readonly ComparedFigure[], { all }: Flags): string {
  const hidden = all ? 0 : figures.filter(({ moved }) => moved).length - listed.length;
  if (hidden === 0) return '';
  return `\nNot listed: ${grouped(hidden)} changed minima, maxima and percentiles of the listed means; --all lists every figure.\n`;
}

/** Returns whether both sides have enough runs for distinguishing a change from chance. */
function hasIntervals({ a, b }: ComparedFigure): boolean {
  return a.interval !== undefined && b.interval !== undefined;
}

/**
 * Describes the differences: the number of changed figures, the digests, and the inputs that only one of the files has.
 */
function verdict({ figures, shared, equalDigests, differing, onlyIn }: CompareDocument): string {
  const repeated = figures.filter(hasIntervals);
  const single = figures.filter((one) => !hasIntervals(one));
  const moved = (of: readonly ComparedFigure[]) => grouped(of.filter((one) => one.moved).length);
  const lines = [
    ...(repeated.length === 0
      ? []
      : [
          `${moved(repeated)} of ${counted(repeated.length, 'figure')} changed beyond their 95 % confidence intervals${pairsText(repeated)}.`,
        ]),
    ...(single.length === 0
      ? []
      : [
          `${moved(single)} of ${counted(single.length, 'figure')} from a single run differ; a single run has no confidence interval.`,
        ]),
    ...(figures.length === 0 ? ['The two files have no figures for the same inputs.'] : []),
    ...(equalDigests > 0 ? [`Digests are equal in ${grouped(equalDigests)} of ${counted(shared, 'shared run')}.`] : []),
    ...differing.map(({ input, a, b }) => `${input}: ${a} in a, ${b} in b.`),
    ...(['a', 'b'] as const).flatMap((side) =>
      onlyIn[side].length === 0 ? [] : [`Only in ${side}: ${onlyIn[side].join('; ')}.`],
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Describes how many figures were compared seed by seed. */
function pairsText(figures: readonly ComparedFigure[]): string {
  const paired = figures.filter((one) => one.paired !== undefined).length;
  if (paired === 0) return '';
  return paired === figures.length
    ? ', comparing runs with the same seed'
    : `, ${grouped(paired)} of which compare runs with the same seed`;
}

function words(document: CompareDocument, flags: Flags): string {
  const figures = listedFigures(document, flags);
  if (figures.length === 0) return wrapped(verdict(document));
  return `${wrapped(verdict(document))}\n${columnTable([...heads], figures.map(cells))}${wrapped(hiddenText(document, figures, flags))}`;
}

function markdown(document: CompareDocument, flags: Flags): string {
  const figures = listedFigures(document, flags);
  const marks = ['---', '---', '--:', '--:', '--:', '--:'];
  const table = figures.length === 0 ? '' : markdownTable(heads, figures.map(cells), marks);
  return `${verdict(document).replaceAll('\n', '\n\n')}${table}${hiddenText(document, figures, flags)}`;
}

const heads = ['of', 'figure', 'a', 'b', 'b - a by seed', 'change'] as const;

function cells({ of, figure, a, b, change, paired }: ComparedFigure): string[] {
  const percent = change === undefined ? '' : `${change >= 0 ? '+' : ''}${grouped(100 * change, 1)} %`;
  const pairs = paired === undefined ? '' : sideText({ mean: paired.difference, interval: paired.interval });
  return [of || 'all', figure, sideText(a), sideText(b), pairs, percent];
}

/** Describes a mean, with half of its confidence interval if it has one. */
function sideText({ mean, interval }: Pick<Side, 'mean' | 'interval'>): string {
  const digits = Math.abs(mean) >= 100 ? 0 : Math.abs(mean) >= 1 ? 1 : 3;
  const half = interval === undefined ? '' : ` ± ${grouped((interval.high - interval.low) / 2, digits)}`;
  return `${grouped(mean, digits)}${half}`;
}
