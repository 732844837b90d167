import { expected } from '@tutti/core/input';
/**
 * Formats a number with digits in groups of three: an integer as it is, any other number with three significant digits,
 * at most two decimals, and all digits before the point.
 *
 * @throws TypeError for a value that is not a number.
 */
export function threeDigits(value: number): string {
  if (typeof value !== 'number') throw new TypeError(expected('value', 'a number', value));
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns the relative difference of two numbers as text: `12 % more`. */
export function change(value: number, than: number, more = 'more', less = 'fewer'): string {
  const percent = 100 * (value / than - 1);
  return `${threeDigits(Math.abs(percent))} % ${percent < 0 ? less : more}`;
}
