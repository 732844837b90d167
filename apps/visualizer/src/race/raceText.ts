import type { RaceProtocol } from '@tutti/lab';
import { protocolTitles } from '../words.ts';
import type { RaceOutcome } from './raceFile.ts';

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

/**
 * Short descriptions of requests and verifications; none for protocols with parallel requests and verified aggregates.
 */
export const checkingWords: Readonly<Partial<Record<RaceProtocol, string>>> = {
  'san-fermin': 'asks one at a time',
  'complete-graph': 'one check at a time',
  gossip: 'one check at a time',
  'complete-graph-bulk': 'one check, of the sum',
};

/** A time as a person reads it. @param ms */
export function seconds(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(2)}\u00a0s` : `${(ms / 1000).toFixed(1)}\u00a0s`;
}

/** Bytes as a person reads them. */
export function amount(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)}\u00a0MB`;
  return bytes >= 1e5 ? `${Math.round(bytes / 1e3)}\u00a0kB` : `${(bytes / 1e3).toFixed(1)}\u00a0kB`;
}

/** Describes each bar in one sentence, for any order of the protocols. */
export function verdict(outcomes: readonly RaceOutcome[]): string {
  const least = (of: (outcome: RaceOutcome) => number) =>
    outcomes.reduce((best, outcome) => (of(outcome) < of(best) ? outcome : best));
  const finished = outcomes.filter(({ reached, live }) => reached === live);
  const stuck = outcomes.filter(({ reached, live }) => reached < live);
  const sentences: string[] = [];
  if (finished.length > 0) {
    const [first, second] = finished.toSorted((a, b) => a.lastMs - b.lastMs);
    const ahead =
      second === undefined ? '' : `, ${(second.lastMs / first!.lastMs).toFixed(1)} times as fast as ${title(second)}`;
    sentences.push(`${capital(title(first!))} is done first${ahead}.`);
  }
  const lightest = least(({ bytesSent }) => bytesSent);
  sentences.push(`The lightest is ${title(lightest)}, with ${amount(lightest.bytesSent)} a node.`);
  for (const one of stuck) {
    sentences.push(
      `With ${title(one)}, ${one.live - one.reached} of ${one.live} live nodes never hold 99 % of the signatures.`,
    );
  }
  return sentences.join(' ');
}

const title = ({ protocol }: RaceOutcome): string => raceTitleWithin(protocol);

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
