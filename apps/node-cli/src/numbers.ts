/** Digits in groups of three, the same in every locale. */
export function grouped(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** An integer as it is; anything else to four significant digits. */
export function fourDigits(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  const size = Math.abs(value);
  if (size < 0.001) return value.toExponential(2);
  return grouped(value, size >= 1000 ? 0 : 3 - Math.floor(Math.log10(size)));
}

/** An integer as it is; anything else to three significant digits, or to the integer from 100 on, and to hundredths under 1. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  return grouped(value, Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
