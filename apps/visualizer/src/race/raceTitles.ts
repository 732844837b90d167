import type { RaceProtocol } from '@tutti/lab';
import { protocolTitles } from '../words.ts';

/** The protocols of the race as the page calls them. */
export const raceTitles: Readonly<Record<RaceProtocol, string>> = {
  ...protocolTitles,
  'complete-graph-bulk': 'graph, in bulk',
};

/** One of them within a sentence. */
export function raceTitleWithin(protocol: RaceProtocol): string {
  if (protocol === 'complete-graph') return 'the complete graph';
  return protocol === 'complete-graph-bulk' ? 'the complete graph in bulk' : raceTitles[protocol];
}

/** How one of them asks or checks, in a few words; nothing where several are asked at once and aggregates are checked. */
export const checkingWords: Readonly<Partial<Record<RaceProtocol, string>>> = {
  'san-fermin': 'asks one at a time',
  'complete-graph': 'one check at a time',
  gossip: 'one check at a time',
  'complete-graph-bulk': 'one check, of the sum',
};
