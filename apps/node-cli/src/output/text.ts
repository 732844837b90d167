import { createRequire } from 'node:module';
import { thresholdText } from '@tutti/core';
import type { Percentiles, Spread } from '@tutti/simulation';

/**
 * Number formats, by number of decimals. The formats are cached, because creating one takes as long as formatting fifty
 * numbers.
 */
const formats = new Map<number, Intl.NumberFormat>();

/** Formats a number with digits in groups of three, independent of the locale. */
export function grouped(value: number, digits = 0): string {
  let format = formats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  return format.format(value);
}

/**
 * Formats a number with four significant digits. Integers and numbers of at least 1,000 keep all digits before the
 * point; numbers under 0.001 have three significant digits and an exponent.
 */
export function fourDigits(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  const size = Math.abs(value);
  if (size < 0.001) return value.toExponential(2);
  return grouped(value, size >= 1000 ? 0 : 3 - Math.floor(Math.log10(size)));
}

/** Returns a count with its noun: "1 node", "1,024 nodes". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** Returns "All 64 nodes", or "The only node" for 1. */
export function allCounted(value: number, one: string): string {
  return value === 1 ? `The only ${one}` : `All ${counted(value, one)}`;
}

/** Returns the distinct seeds as text: `seeds none`, `seed 1`, `seeds 1 and 3`, `seeds 1 to 3`. */
export function seedsText(all: readonly number[]): string {
  const seeds = [...new Set(all)].sort((a, b) => a - b);
  if (seeds.length < 2) return seeds.length === 0 ? 'seeds none' : `seed ${seeds[0]}`;
  const isRange = seeds.every((seed, index) => seed === seeds[0]! + index);
  return isRange
    ? `seeds ${seeds[0]} to ${seeds.at(-1)}`
    : `seeds ${seeds.slice(0, -1).join(', ')} and ${seeds.at(-1)}`;
}

/**
 * Formats the threshold of a run: `99 % (1,014 signatures)` for a share, and `67 signatures` for a number.
 *
 * @param threshold share up to 1, or a number over 1.
 * @param count number of signatures.
 */
export function reachedText(threshold: number, count: number): string {
  const signatures = counted(count, 'signature');
  return threshold > 1 ? signatures : `${thresholdText(threshold)} (${signatures})`;
}

/** Minimum width of the output, columns. On a narrower terminal, tables and texts wrap at this width. */
const minWidth = 40;

/**
 * Returns the number of columns available for the output: the terminal's width, or unlimited if a program reads the
 * output.
 */
export function answerWidth({ isTTY, columns }: { isTTY?: boolean; columns?: number } = process.stdout): number {
  return isTTY && columns ? Math.max(minWidth, columns) : Number.POSITIVE_INFINITY;
}

/** Wraps each line between words. Breaks words that exceed the width. */
export function wrapped(text: string, width = answerWidth()): string {
  return text
    .split('\n')
    .map((line) => (line.length <= width ? line : wrappedLine(line, width)))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest].join('\n');
}

/** Parts of a table's border in cli-table3. */
const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';

/** Table without a border, with two spaces between columns. */
const borderless = {
  chars: { ...Object.fromEntries(borders.split(' ').map((part) => [part, ''])), middle: '  ' },
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
};

/** The library is loaded on demand, which takes 20 ms: many commands print no table. */
const load = createRequire(import.meta.url);

function tableWith(colAligns: ('left' | 'right')[]) {
  const Table = load('cli-table3') as typeof import('cli-table3');
  return new Table({ ...borderless, head: [], colAligns });
}

/** A row of {@link spreadTable}. The row shows percentiles if its value has them. */
type SpreadRow = readonly [label: string, spread: Spread & Partial<Percentiles>, digits?: number];

/** Returns a table of measurements: minimum, mean and maximum over the nodes, and percentiles if a row has them. */
export function spreadTable(rows: readonly SpreadRow[]): string {
  const ranks = (['p50', 'p90', 'p99'] as const).filter((name) =>
    rows.some(([, spread]) => spread[name] !== undefined),
  );
  return columnTable(
    ['over the nodes', 'min', 'mean', ...ranks, 'max'],
    rows.map(([label, spread, digits = 0]) => [
      label,
      grouped(spread.min, digits),
      grouped(spread.mean, Math.max(digits, 1)),
      ...ranks.map((name) => (spread[name] === undefined ? '' : grouped(spread[name], digits))),
      grouped(spread.max, digits),
    ]),
  );
}

/**
 * Formats rows under a header, with the first column left-aligned and numbers right-aligned.
 *
 * @param width maximum width in columns; a wider table is folded.
 */
export function columnTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = answerWidth(),
): string {
  return blocksOf(head, rows, width)
    .map((block) => {
      const table = tableWith(block.map(({ column }) => (column === 0 ? 'left' : 'right')));
      const cells = (row: readonly string[]) => block.map(({ column, width: room }) => wrapped(row[column]!, room));
      table.push(
        cells(head).map((content) => ({ content, vAlign: 'bottom' as const })),
        ...rows.map(cells),
      );
      return textOf(table);
    })
    .join('\n');
}

/**
 * Column of a table: its header, the function that returns a row's value, and the number of decimals. Null values are
 * shown as a dash.
 */
export type TableColumn<Row> = readonly [
  head: string,
  of: (row: Row, index: number) => number | string | null | undefined,
  digits?: number,
];

/**
 * Formats rows under the headers of their columns.
 *
 * @param written formats a number.
 */
export function rowsTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  written: (value: number, digits: number) => string = grouped,
): string {
  const text = (value: number | string | null | undefined, digits: number) =>
    typeof value === 'number' ? written(value, digits) : (value ?? '-');
  return columnTable(
    columns.map(([head]) => head),
    rows.map((row, index) => columns.map(([, of, digits = 0]) => text(of(row, index), digits))),
  );
}

/**
 * Formats two columns: names and values.
 *
 * @param width maximum width in columns; longer texts wrap.
 */
export function pairTable(rows: readonly (readonly [string, string])[], width = answerWidth()): string {
  const table = tableWith(['left', 'left']);
  const [block] = blocksOf(['', ''], rows, width);
  for (const row of rows) table.push(block!.map(({ column, width: room }) => wrapped(row[column]!, room)));
  return textOf(table);
}

/**
 * Formats rows as a Markdown table.
 *
 * @param marks line below the head, one mark per column; `--:` aligns a column to the right.
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  marks: readonly string[] = head.map(() => '---'),
): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return [head, marks, ...rows].map(line).join('');
}

/** Returns a table as text, without the spaces that pad the last column, because a terminal would wrap them. */
function textOf(table: { toString(): string }): string {
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}

/** Subset of a table's columns, by index, with the width of each. */
type Block = readonly { readonly column: number; readonly width: number }[];

const gap = 2;
/**
 * Minimum width of the first column. If the first column would be narrower than this width, other columns move to a
 * second block.
 */
const minLabel = 24;

/**
 * Returns the blocks of a table so that it fits a width. First wraps the first column and the headers. If wrapping is
 * not enough, splits the columns over several blocks, each of which repeats the first column.
 */
function blocksOf(head: readonly string[], rows: readonly (readonly string[])[], width: number): Block[] {
  const cells = head.map((_, column) => rows.map((row) => row[column]!));
  const natural = head.map((name, column) => longest([name, ...cells[column]!]));
  const all = natural.map((_, column) => column);
  if (total(natural) <= width) return [all.map((column) => ({ column, width: natural[column]! }))];
  const label = Math.min(natural[0]!, minLabel);
  const min = natural.map((_, column) =>
    column === 0 ? label : Math.min(longest([...head[column]!.split(' '), ...cells[column]!]), width - label - gap),
  );
  const blocks: number[][] = [[]];
  for (const column of all.slice(1)) {
    const last = blocks.at(-1)!;
    if (last.length > 0 && total([0, ...last, column].map((each) => min[each]!)) > width) blocks.push([column]);
    else last.push(column);
  }
  return blocks.map((columns) => widened([0, ...columns], min, natural, width));
}

/** Distributes a block's spare width over its columns, from the first to the last. */
function widened(columns: readonly number[], min: readonly number[], natural: readonly number[], width: number) {
  let spare = width - total(columns.map((column) => min[column]!));
  return columns.map((column) => {
    const more = Math.min(spare, natural[column]! - min[column]!);
    spare -= more;
    return { column, width: min[column]! + more };
  });
}

function longest(texts: readonly string[]): number {
  return texts.reduce((max, { length }) => Math.max(max, length), 0);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + gap + width, -gap);
}
