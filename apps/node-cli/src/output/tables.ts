import type { Spread } from '@tutti/simulation';
import Table from 'cli-table3';
import { grouped } from '../numbers.ts';
import { answerWidth, blocksOf, wrapped } from './folded.ts';

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

/** Rows of measurements, with minimum, mean and maximum over the nodes. */
export function spreadTable(rows: readonly (readonly [label: string, spread: Spread, digits?: number])[]): string {
  return columnTable(
    ['over the nodes', 'min', 'mean', 'max'],
    rows.map(([label, { min, mean, max }, digits = 0]) => [
      label,
      grouped(min, digits),
      grouped(mean, Math.max(digits, 1)),
      grouped(max, digits),
    ]),
  );
}

/**
 * Rows under a head, the first column to the left and figures to the right.
 *
 * @param width in columns; a wider table is folded.
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

/** A column: its head, what it shows of a row, and with how many digits; what is null is shown as a dash. */
export type TableColumn<Row> = readonly [
  head: string,
  of: (row: Row, index: number) => number | string | null | undefined,
  digits?: number,
];

/** Rows under the heads of their columns. @param written how a number is. */
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
 * Two columns: what, and how much.
 *
 * @param width in columns; longer texts wrap.
 */
export function pairTable(rows: readonly (readonly [string, string])[], width = answerWidth()): string {
  const table = new Table({ ...borderless, colAligns: ['left', 'left'] });
  const [block] = blocksOf(['', ''], rows, width);
  for (const row of rows) table.push(block!.map(({ column, width: room }) => wrapped(row[column]!, room)));
  return text(table);
}

/** Cells are padded to the longest of their column, the last column too; a terminal would wrap the blanks. */
function text(table: { toString(): string }): string {
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}
