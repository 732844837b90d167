/**
 * Formats a number to a tenth, in groups of three digits. `Intl` is not used: its first formatter takes 100 ms on a
 * slow machine.
 */
export function count(value: number): string {
  const [whole, tenth] = value.toFixed(1).split('.') as [string, string];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return tenth === '0' ? grouped : `${grouped}.${tenth}`;
}

/** Formats a whole number of nodes or contributions. */
export function figure(value: number): string {
  return count(value);
}
