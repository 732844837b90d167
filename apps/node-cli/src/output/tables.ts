import type { Spread } from '@tutti/core/simulation';
import Table from 'cli-table3';
import { grouped } from '../numbers.ts';

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
  const table = new Table({
    ...borderless,
    head: ['over the nodes', 'min', 'mean', 'max'],
    colAligns: ['left', 'right', 'right', 'right'],
  });
  for (const [label, { min, mean, max }, digits = 0] of rows)
    table.push([label, grouped(min, digits), grouped(mean, Math.max(digits, 1)), grouped(max, digits)]);
  return text(table);
}

/** Rows under a head, the first column to the left and figures to the right. */
export function columnTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    ...borderless,
    head: [...head],
    colAligns: head.map((_, column) => (column === 0 ? 'left' : 'right')),
  });
  for (const row of rows) table.push([...row]);
  return text(table);
}

/** Two columns: what, and how much. */
export function pairTable(rows: readonly (readonly [string, string])[]): string {
  const table = new Table({ ...borderless, colAligns: ['left', 'left'] });
  for (const [label, value] of rows) table.push([label, value]);
  return text(table);
}

/** Cells are padded to the longest of their column, the last column too; a terminal would wrap the blanks. */
function text(table: { toString(): string }): string {
  return `${table.toString().replace(/ +$/gm, '')}\n`;
}
