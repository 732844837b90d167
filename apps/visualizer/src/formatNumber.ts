/**
 * A number to a tenth, in groups of three digits. Not by `Intl`, whose first formatter takes a slow machine a tenth of
 * a second.
 */
export function count(value: number): string {
  const [whole, tenth] = value.toFixed(1).split('.') as [string, string];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return tenth === '0' ? grouped : `${grouped}.${tenth}`;
}

/** A whole number of nodes or of what they hold, written as every other number. */
export function figure(value: number): string {
  return count(value);
}
