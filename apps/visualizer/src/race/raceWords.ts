import type { RaceOutcome } from './raceFile.ts';
import { raceTitleWithin } from './raceTitles.ts';

/** A time as a person reads it. @param ms */
export function seconds(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(2)}\u00a0s` : `${(ms / 1000).toFixed(1)}\u00a0s`;
}

/** Bytes as a person reads them. */
export function amount(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)}\u00a0MB`;
  return bytes >= 1e5 ? `${Math.round(bytes / 1e3)}\u00a0kB` : `${(bytes / 1e3).toFixed(1)}\u00a0kB`;
}

/** What the bars show, one sentence for each, whichever protocol is ahead. */
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
