/**
 * Formats a number with at most one decimal and with its digits in groups of three. The function does not use `Intl`,
 * whose first formatter takes 100 ms on a slow machine.
 */
export function count(value: number): string {
  const [whole, tenth] = value.toFixed(1).split('.') as [string, string];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return tenth === '0' ? grouped : `${grouped}.${tenth}`;
}

/** Formats a share in whole percent. The result is 0 or 100 only for exact values, and a dash if `all` is 0. */
export function percent(of: number, all: number): string {
  if (all === 0) return '–';
  const whole = of === all ? 100 : Math.min(99, Math.max(of === 0 ? 0 : 1, Math.round((100 * of) / all)));
  return `${whole}\u00a0%`;
}

/** Formats a time within a slot in seconds, with two decimals. */
export function seconds(timeUs: number): string {
  return `${(timeUs / 1e6).toFixed(2)}\u00a0s`;
}

/** Formats a number of bytes in MB (10^6 bytes), with two decimals and without the unit. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

/** Formats a number with its noun, in the plural unless the number is 1. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Formats a virtual time in milliseconds, with one decimal. */
export function ms(timeUs: number): string {
  return `${(timeUs / 1000).toFixed(1)}\u00a0ms`;
}

const small = `No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen
Seventeen Eighteen Nineteen`.split(/\s/);
const tens = ' , ,Twenty,Thirty,Forty,Fifty,Sixty,Seventy,Eighty,Ninety'.split(',');

/** Returns a whole number as text: `No` for 0, a capitalised word for 1 to 99, and digits for larger numbers. */
export function spelled(value: number): string {
  if (value < 20) return small[value]!;
  if (value >= 100) return count(value);
  const one = value % 10;
  return tens[Math.floor(value / 10)]! + (one === 0 ? '' : `-${small[one]!.toLowerCase()}`);
}

/** Returns a text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a text with a small first letter. */
export function uncapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
