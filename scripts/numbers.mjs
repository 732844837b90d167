/** Digits in groups of three, the same in every locale. */
export function grouped(value, digits = 0) {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
