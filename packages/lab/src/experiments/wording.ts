import { expected } from '@tutti/core/settings';
/**
 * Digits in groups of three: an integer as it is, anything else to three significant digits, but no more than
 * hundredths and no fewer than integers.
 */
export function threeDigits(value: number): string {
  if (typeof value !== 'number') throw new TypeError(expected('value', 'a number', value));
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** How much more or less one number is than another: `12 % more`. */
export function change(value: number, than: number, more = 'more', less = 'fewer'): string {
  const percent = 100 * (value / than - 1);
  return `${threeDigits(Math.abs(percent))} % ${percent < 0 ? less : more}`;
}
