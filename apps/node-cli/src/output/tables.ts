import type { Percentiles, Spread } from '@tutti/simulation';
import Table from 'cli-table3';
import { answerWidth, blocksOf, grouped, wrapped } from './folded.ts';

const borderless = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  },
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
};

/** A row of {@link spreadTable}. Percentiles are shown if the value has them. */
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
 * Returns rows under a header, with the first column left-aligned and numbers right-aligned.
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
      const table = new Table({
        ...borderless,
        head: [],
        colAligns: block.map(({ column }) => (column === 0 ? 'left' : 'right')),
      });
      const cells = (row: readonly string[]) => block.map(({ column, width: room }) => wrapped(row[column]!, room));
      table.push(
        cells(head).map((content) => ({ content, vAlign: 'bottom' as const })),
        ...rows.map(cells),
      );
      return text(table);
    })
    .join('\n');
}

/**
 * A column: its header, the function that returns a row's value, and the number of decimals. Null is shown as a dash.
 */
export type TableColumn<Row> = readonly [
  head: string,
  of: (row: Row, index: number) => number | string | null | undefined,
  digits?: number,
];

/**
 * Returns rows under the headers of their columns.
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
 * Returns two columns: names and values.
 *
 * @param width maximum width in columns; longer texts wrap.
 */
export function pairTable(rows: readonly (readonly [string, string])[], width = answerWidth()): string {
  const table = new Table({ ...borderless, colAligns: ['left', 'left'] });
  const [block] = blocksOf(['', ''], rows, width);
  for (const row of rows) table.push(block!.map(({ column, width: room }) => wrapped(row[column]!, room)));
  return text(table);
}

/** Removes the spaces that pad the last column, since a terminal would wrap them. */
function text(table: { toString(): string }): string {
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}
