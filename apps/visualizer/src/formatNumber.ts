/**
 * Formats a number to a tenth, in groups of three digits. `Intl` is not used: its first formatter takes 100 ms on a
 * slow machine.
 */
export function count(value: number): string {
  const [whole, tenth] = value.toFixed(1).split('.') as [string, string];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return tenth === '0' ? grouped : `${grouped}.${tenth}`;
}

/** Formats a share of a whole as whole percent. It shows 0 and 100 only for exact values, and a dash for a whole of 0. */
export function percent(of: number, all: number): string {
  if (all === 0) return '–';
  const whole = of === all ? 100 : Math.min(99, Math.max(of === 0 ? 0 : 1, Math.round((100 * of) / all)));
  return `${whole}\u00a0%`;
}

/** Formats a time of a slot in seconds. */
export function seconds(timeUs: number): string {
  return `${(timeUs / 1e6).toFixed(2)}\u00a0s`;
}

/** Formats bytes in MB (10^6 bytes). */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

/** Returns a number with a noun, in the plural unless the number is 1. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Formats a virtual time in milliseconds, in the same way in every part of the page. */
export function ms(timeUs: number): string {
  return `${(timeUs / 1000).toFixed(1)}\u00a0ms`;
}

const small = [
  'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen',
  'Eighteen Nineteen',
]
  .join(' ')
  .split(' ');
const tens = ' , ,Twenty,Thirty,Forty,Fifty,Sixty,Seventy,Eighty,Ninety'.split(',');

/** Returns a number below a hundred in letters, for a title; larger numbers in digits. */
export function spelled(value: number): string {
  if (value < 20) return small[value] ?? String(value);
  if (value >= 100) return count(value);
  const one = value % 10;
  return tens[Math.floor(value / 10)]! + (one === 0 ? '' : `-${small[one]!.toLowerCase()}`);
}

/** Returns a text with a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
