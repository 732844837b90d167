import type { RacerName } from '@tutti/lab';
import { protocolTitles } from '../words.ts';

/** The racers as the page calls them. */
export const racerTitles: Readonly<Record<RacerName, string>> = {
  ...protocolTitles,
  'complete-graph-bulk': 'graph, in bulk',
};

/** A racer within a sentence. */
export function racerWords(racer: RacerName): string {
  if (racer === 'complete-graph') return 'the complete graph';
  return racer === 'complete-graph-bulk' ? 'the complete graph in bulk' : racerTitles[racer];
}

/** How a racer asks or checks, in a few words; nothing where several are asked at once and aggregates are checked. */
export const checkingWords: Readonly<Partial<Record<RacerName, string>>> = {
  'san-fermin': 'asks one at a time',
  'complete-graph': 'one check at a time',
  gossip: 'one check at a time',
  'complete-graph-bulk': 'one check, of the sum',
};
