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

/** Formats a share of a whole as whole percent. It shows 0 and 100 only for exact values, and a dash for a whole of 0. */
export function percent(of: number, all: number): string {
  if (all === 0) return '–';
  const whole = of === all ? 100 : Math.min(99, Math.max(of === 0 ? 0 : 1, Math.round((100 * of) / all)));
  return `${whole}\u00a0%`;
}

/** Returns a text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
