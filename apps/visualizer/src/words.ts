import type { ProtocolName } from '@tutti/core/simulation';

/** The protocols as the page calls them. */
export const protocolTitles: Readonly<Record<ProtocolName, string>> = {
  handel: 'Handel',
  'complete-graph': 'complete graph',
  'san-fermin': 'San Fermín',
  gossip: 'gossip',
};

/** A virtual time, as every part of the page writes it. */
export function ms(timeUs: number): string {
  return `${(timeUs / 1000).toFixed(1)}\u00a0ms`;
}

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function count(value: number): string {
  return grouped.format(value);
}

/** A number of nodes or of what they hold: in groups of digits once it has five. */
export function figure(value: number): string {
  return value < 10_000 ? String(value) : grouped.format(value);
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
  if (value >= 100) return grouped.format(value);
  const one = value % 10;
  return tens[Math.floor(value / 10)]! + (one === 0 ? '' : `-${small[one]!.toLowerCase()}`);
}
