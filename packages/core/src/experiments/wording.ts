/** A number for a sentence: three figures that count, thousands in groups. */
export function words(value: number): string {
  const magnitude = Math.abs(value);
  const digits = magnitude >= 100 || Number.isInteger(value) ? 0 : magnitude >= 10 ? 1 : 2;
  const [whole = '', fraction] = value.toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** How much more or less one number is than another: `12 % more`. */
export function change(value: number, than: number, more = 'more', less = 'fewer'): string {
  const percent = 100 * (value / than - 1);
  return `${words(Math.abs(percent))} % ${percent < 0 ? less : more}`;
}
