import { count } from '../formatNumber.ts';

/** Quantity that a strip shows for each seed. */
export interface SeedMeasure {
  /** Words before a value or a range, such as "the last node takes". */
  readonly verb: string;
  /** Unit of the values. */
  readonly unit: string;
  /** Words about seeds without a value. */
  readonly none: string;
  /** Words about a row whose value is greater than that of the other row. */
  readonly more: string;
}

/** Time of the last node. A run in which a node never finishes has no value. */
export const lastNode: SeedMeasure = {
  verb: 'the last node takes',
  unit: 'ms',
  none: 'some nodes never finish',
  more: 'takes longer',
};

/** Results of one protocol or variant. */
interface SeedResults {
  /** Name of the row; empty for a strip with one row. */
  readonly name: string;
  /** Result of each seed so far, in the same order in all rows; undefined for a seed without a value. */
  readonly values: readonly (number | undefined)[];
}

/**
 * Describes a strip of seeds. Two rows are compared once all seeds are simulated.
 *
 * @param own result of the shown run in each row.
 * @param total number of seeds once all are simulated.
 */
export function seedWords(
  rows: readonly SeedResults[],
  own: readonly (number | undefined)[],
  measure: SeedMeasure,
  total: number,
): string {
  const known = Math.min(...rows.map(({ values }) => values.length));
  const seeds = known < total ? `${count(known)} of ${count(total)} seeds so far` : `${count(known)} seeds`;
  const ranges = rows.map(({ name, values }) => {
    const range = rangeWords(values.slice(0, known), measure);
    return name === '' ? range : `${range} (${name})`;
  });
  return `${seeds}: ${ranges.join('; ')}.${known < total ? '' : compared(rows, known, measure)}${ownWords(own, measure)}`;
}

function rangeWords(values: readonly (number | undefined)[], { verb, unit, none }: SeedMeasure): string {
  const found = values.filter((one) => one !== undefined).map(Math.round);
  const missing = values.length - found.length;
  const without = missing === 0 ? '' : `in ${count(missing)} of ${count(values.length)}, ${none}`;
  if (found.length === 0) return without;
  const [min, max] = [Math.min(...found), Math.max(...found)];
  const range = `${verb} ${min === max ? count(min) : `${count(min)} to ${count(max)}`} ${unit}`.trim();
  return without === '' ? range : `${range}, and ${without}`;
}

/**
 * Counts the seeds for which the second row has a greater value than the first. A missing value counts as greater than
 * any other.
 */
function compared(rows: readonly SeedResults[], known: number, { more }: SeedMeasure): string {
  const [first, second] = rows;
  if (first === undefined || second === undefined) return '';
  const worse = second.values
    .slice(0, known)
    .filter((value, place) => (value ?? Number.POSITIVE_INFINITY) > (first.values[place] ?? Number.POSITIVE_INFINITY));
  return ` ${second.name.replace(/^./, (letter) => letter.toUpperCase())} ${more} in ${worse.length === 0 ? 'none' : count(worse.length)} of ${count(known)} seeds.`;
}

function ownWords(own: readonly (number | undefined)[], { verb, unit }: SeedMeasure): string {
  const known = own.filter((value) => value !== undefined).map((value) => count(Math.round(value)));
  const values = `${verb} ${known.join(' and ')} ${unit}`.trim();
  return known.length === 0 ? '' : ` The circle marks this run: ${values}.`;
}
