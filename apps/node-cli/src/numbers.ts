import { thresholdText } from '@tutti/core';

/** Formats by number of decimals. They are cached, because creating one takes as long as formatting fifty numbers. */
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

/** Formats a number with four significant digits; integers have all digits. */
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

/** Returns the threshold of a run with its number of signatures: `99 % (1,014 signatures)`. */
export function reachedText(threshold: number, count: number): string {
  const signatures = counted(count, 'signature');
  return threshold > 1 ? signatures : `${thresholdText(threshold)} (${signatures})`;
}
