import { type ProtocolName, protocolNames, protocols } from '@tutti/simulation';
import { count, figure } from './formatNumber.ts';

export { count, figure };

/** Returns a number with a noun, in the plural unless the number is 1. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Titles of the protocols on the page. */
export const protocolTitles = Object.fromEntries(
  protocolNames.map((name) => [name, protocols[name].title]),
) as Readonly<Record<ProtocolName, string>>;

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
