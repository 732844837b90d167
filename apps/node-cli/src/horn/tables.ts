import { type BitfieldCoding, defaultHornParameters, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { type HornGrid, type HornRow, type HornTable, hornTable, hornTableNames } from '@tutti/ethereum';
import { fourDigits } from '../output/text.ts';
import { snappyCoding } from './snappyCoding.ts';

/** Bitfield encodings that the tables of Horn and the griefing study compare. */
export const codings: readonly BitfieldCoding[] = [snappyCoding, runLengthCoding, sparseCoding];

/**
 * Returns the tables with the given names.
 *
 * @throws RangeError for a parameter out of its range.
 */
export function hornTables(
  names: readonly string[] = hornTableNames,
  parameters = defaultHornParameters,
): (HornTable & { readonly name: string })[] {
  return names.map((name) => ({ name, ...hornTable(name, codings, parameters) }));
}

/** Returns the distinct remarks on the rows of a table, in the order of their numbers, which start at 1. */
export function remarksOf(rows: readonly HornRow[]): string[] {
  return [...new Set(rows.map(({ why }) => why).filter((why) => why !== undefined))];
}

/** Texts in the cells of a table that differ between forms of output. */
interface CellMarks {
  /** Cell for an absent value. */
  readonly none: string;
  /** Verdict on a row whose figure does not follow. */
  readonly no: string;
  /** Returns the reference to a remark with a number. */
  remark(number: number): string;
}

/**
 * Returns the cells of a row.
 *
 * @param remarks remarks of the table, from {@link remarksOf}.
 */
export function rowCells(
  { item, unit, post, exact, follows, why }: HornRow,
  remarks: readonly string[],
  { none, no, remark }: CellMarks,
): string[] {
  const verdict = follows === undefined ? none : follows ? 'yes' : no;
  return [
    item,
    post ?? none,
    `${fourDigits(exact)} ${unit}`.trim(),
    why === undefined ? verdict : `${verdict} ${remark(remarks.indexOf(why) + 1)}`.trim(),
  ];
}

/** Returns the cells of a grid as text. */
export function gridCells({ rows }: HornGrid): string[][] {
  return rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : fourDigits(cell))));
}
