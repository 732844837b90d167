import { type ProtocolName, protocolNames, protocols } from '@tutti/simulation';

/** The protocols as the page calls them. */
export const protocolTitles = Object.fromEntries(
  protocolNames.map((name) => [name, protocols[name].title]),
) as Readonly<Record<ProtocolName, string>>;

/** A virtual time, as every part of the page writes it. */
export function ms(timeUs: number): string {
  return `${(timeUs / 1000).toFixed(1)}\u00a0ms`;
}

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

const small = [
  'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen',
  'Eighteen Nineteen',
]
  .join(' ')
  .split(' ');
const tens = ' , ,Twenty,Thirty,Forty,Fifty,Sixty,Seventy,Eighty,Ninety'.split(',');

/** A number below a hundred in letters, for a title; larger ones in figures. */
export function spelled(value: number): string {
  if (value < 20) return small[value] ?? String(value);
  if (value >= 100) return count(value);
  const one = value % 10;
  return tens[Math.floor(value / 10)]! + (one === 0 ? '' : `-${small[one]!.toLowerCase()}`);
}
