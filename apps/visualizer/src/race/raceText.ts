import type { RaceProtocol } from '@tutti/lab';
import { protocols } from '@tutti/simulation';
import { capital, count, counted, spelled } from '../formatNumber.ts';
import type { Conclusion } from '../page.ts';
import type { RaceOutcome } from './raceFile.ts';

const textOf = (title: string, way: string, within = title) => ({ title, way, within });

/** Texts of the race's protocols: title, title within a sentence, and a short description of the way it works. */
export const raceTexts: Readonly<Record<RaceProtocol, ReturnType<typeof textOf>>> = {
  handel: textOf(protocols.handel.title, 'combines signatures in a tree'),
  'san-fermin': textOf(protocols['san-fermin'].title, 'exchanges signatures in pairs of nodes'),
  'complete-graph': textOf(
    protocols['complete-graph'].title,
    'sends to all; checks every signature',
    'the complete graph',
  ),
  gossip: textOf(protocols.gossip.title, 'forwards all; checks every signature'),
  'complete-graph-bulk': textOf('bulk verification', 'sends to all; checks only the sum'),
};

/** Formats a time in ms as seconds, with one or two decimals. */
export function secondsOfMs(ms: number): string {
  return ms < 9950 ? `${(ms / 1000).toFixed(2)}\u00a0s` : `${(ms / 1000).toFixed(1)}\u00a0s`;
}

/** Formats a number of bytes for readers. */
export function amount(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)}\u00a0MB`;
  return bytes >= 1e5 ? `${Math.round(bytes / 1e3)}\u00a0kB` : `${(bytes / 1e3).toFixed(1)}\u00a0kB`;
}

/** Formats a mean number of checks for readers. */
export function checks(checked: number): string {
  return checked < 100 ? checked.toFixed(1) : count(Math.round(checked));
}

/** Returns the outcomes in which every node reached the threshold, the fastest first. */
export function finished(outcomes: readonly RaceOutcome[]): readonly RaceOutcome[] {
  return outcomes.filter(({ reached, live }) => reached === live).toSorted((a, b) => a.lastMs - b.lastMs);
}

/** Describes the cost of one protocol, as a fact that follows a conclusion. */
function fact(outcome: RaceOutcome): string {
  const { protocol, lastMs, reached, live, bytesSent, checked } = outcome;
  const end =
    reached < live
      ? `${count(live - reached)} of ${count(live)} nodes never finish`
      : `last node after ${secondsOfMs(lastMs)}`;
  return `${raceTexts[protocol].title}: ${end}, ${amount(bytesSent)} and ${checks(checked)} checks per node`;
}

/** Measure by which protocols are compared. A sentence uses its name; a table uses its title and words. */
interface RaceMeasure {
  readonly name: string;
  readonly title: string;
  /** Returns the value. A time is infinite if a node of the protocol is unfinished. */
  readonly of: (outcome: RaceOutcome) => number;
  readonly words: (outcome: RaceOutcome) => string;
}

/** Measures of a race: time, bytes and checks. */
export const raceMeasures: readonly RaceMeasure[] = [
  {
    name: 'time',
    title: 'last node',
    of: ({ lastMs, reached, live }) => (reached < live ? Number.POSITIVE_INFINITY : lastMs),
    words: ({ lastMs, reached, live }) => (reached < live ? `${count(live - reached)} never` : secondsOfMs(lastMs)),
  },
  {
    name: 'bytes',
    title: 'bytes per node',
    of: ({ bytesSent }) => bytesSent,
    words: ({ bytesSent }) => amount(bytesSent),
  },
  {
    name: 'checks',
    title: 'checks per node',
    of: ({ checked }) => checked,
    words: ({ checked }) => checks(checked),
  },
];

/**
 * Describes why a tree needs less time than a complete graph; empty if the tree needs more than half as many checks.
 */
function treeWords(outcomes: readonly RaceOutcome[]): string {
  const [tree, graph] = (['handel', 'complete-graph'] as const).map((name) =>
    outcomes.find(({ protocol }) => protocol === name),
  );
  if (tree === undefined || graph === undefined || 2 * tree.checked > graph.checked) return '';
  return `The number of checks makes the difference: a node that verifies every signature individually makes ${checks(graph.checked)} checks. In Handel’s tree, a node receives a few aggregates and verifies each of them once, which takes ${checks(tree.checked)} checks.`;
}

/**
 * Compares the times of two runs; times that are equal when rounded are stated once. Each of the runs may never finish.
 */
function timeWords(after: RaceOutcome, before: RaceOutcome): string {
  if (after.reached < after.live) return `never finishes on ${counted(after.live - after.reached, 'node')}`;
  const now = secondsOfMs(after.lastMs);
  if (before.reached < before.live) return `takes ${now} instead of never finishing`;
  const was = secondsOfMs(before.lastMs);
  return now === was ? `still takes ${now}` : `takes ${now} instead of ${was}`;
}

/** Explains the checks of bulk verification; empty if a node makes fewer than 1.5 checks on average. */
export function sumWords(outcomes: readonly RaceOutcome[]): string {
  const sum = outcomes.find(({ protocol }) => protocol === 'complete-graph-bulk');
  if (sum === undefined || sum.checked < 1.5) return '';
  return `With bulk verification, a node makes ${checks(sum.checked)} checks instead of one. It verifies its first sum when 99\u00a0% of the signatures have arrived, and another sum when more arrive. With 64 nodes, bulk verification sends fewer bytes than Handel, but its bytes per node grow with the number of nodes.`;
}

/** Compares Handel with the fastest protocol of a race, and with the protocol that sends the fewest bytes. */
export function verdict(outcomes: readonly RaceOutcome[]): Conclusion {
  const facts = outcomes.map(fact);
  const done = finished(outcomes);
  const stuck = outcomes
    .filter(({ reached, live }) => reached < live)
    .map((one) => `With ${title(one)}, ${count(one.live - one.reached)} of ${count(one.live)} nodes never finish.`);
  const handel = done.find(({ protocol }) => protocol === 'handel');
  const [fastest] = done;
  if (handel === undefined || fastest === undefined) return { said: stuck.join(' '), facts };
  const lightest = done.reduce((best, one) => (one.bytesSent < best.bytesSent ? one : best));
  const parts: string[] = [];
  if (fastest !== handel && handel.bytesSent < fastest.bytesSent)
    parts.push(
      `The fastest protocol, ${title(fastest)}, sends ${times(fastest.bytesSent / handel.bytesSent)} as many bytes as Handel.`,
    );
  if (lightest !== handel && handel.lastMs < lightest.lastMs)
    parts.push(
      `The protocol with the fewest bytes, ${title(lightest)}, takes ${times(lightest.lastMs / handel.lastMs)} as long as Handel.`,
    );
  const { dead } = handel;
  const failed = dead === 0 ? '' : `In this race, ${Math.round(100 * dead)}\u00a0% of the nodes have failed.`;
  return {
    said: [failed, treeWords(outcomes), leadWords(handel, done), ...parts, ...stuck]
      .filter((one) => one !== '')
      .join(' '),
    facts,
  };
}

/** Names the measures in which Handel has the minimum value of all finished protocols. */
function leadWords(handel: RaceOutcome, done: readonly RaceOutcome[]): string {
  const led = raceMeasures.filter(({ of }) => Math.min(...done.map(of)) === of(handel)).map(({ name }) => name);
  if (led.length > 0)
    return `Handel leads in ${led.length === raceMeasures.length ? 'all three measures' : list(led)}.`;
  const none = 'Handel leads in none of the three measures';
  const isBeaten = done.some(({ lastMs, bytesSent }) => lastMs < handel.lastMs && bytesSent < handel.bytesSent);
  if (isBeaten) return `${none}.`;
  return `${none}, but no other protocol both takes less time and sends fewer bytes. Handel takes ${secondsOfMs(handel.lastMs)} and needs ${amount(handel.bytesSent)}, ${count(Math.round(handel.messagesSent))} messages and ${checks(handel.checked)} checks per node.`;
}

/** Compares three protocols with and without dead nodes. @param outcomes results of the races without Byzantine nodes. */
export function failedWords(outcomes: readonly RaceOutcome[]): Conclusion {
  const pairs = (['complete-graph-bulk', 'handel', 'san-fermin'] as const).flatMap((protocol) => {
    const [before, after] = [false, true].map((hasFailed) =>
      outcomes.find((one) => one.protocol === protocol && one.dead > 0 === hasFailed),
    );
    return before === undefined || after === undefined ? [] : [{ before, after }];
  });
  const facts = pairs.flatMap(({ before, after }) => [
    `no failed nodes: ${fact(before)}`,
    `${Math.round(100 * after.dead)}\u00a0% failed: ${fact(after)}`,
  ]);
  const ends = pairs.map(({ before, after }) => `${title(after)} ${timeWords(after, before)}`);
  const handel = pairs.find(({ after }) => after.protocol === 'handel');
  const why =
    handel === undefined || handel.after.checked <= handel.before.checked
      ? ''
      : ` Levels with failed nodes never become complete. A Handel node therefore verifies more partial aggregates and makes ${checks(handel.after.checked)} checks instead of ${checks(handel.before.checked)}.`;
  return { said: ends.length === 0 ? '' : `${capital(list(ends))}.${why}`, facts };
}

/** Names the protocols that finish first and second; empty if none finishes. */
export function firstWords(outcomes: readonly RaceOutcome[]): string {
  const [first, second] = finished(outcomes);
  if (first === undefined) return '';
  const next = second === undefined ? '' : ` ${capital(title(second))} follows after ${secondsOfMs(second.lastMs)}.`;
  return `${capital(title(first))} is first, after ${secondsOfMs(first.lastMs)}.${next}`;
}

/**
 * Returns a question that leads to the next chapter. The question is about the checks of the slowest protocol if they
 * exceed Handel's.
 */
export function questionWords(outcomes: readonly RaceOutcome[]): string {
  const handel = outcomes.find(({ protocol }) => protocol === 'handel');
  const last = finished(outcomes).at(-1);
  if (handel === undefined || last === undefined || handel === last || handel.checked >= last.checked)
    return 'How do two signatures become one?';
  const few = count(Math.round(handel.checked));
  return `${capital(title(last))} takes ${secondsOfMs(last.lastMs)} and needs ${count(Math.round(last.checked))} checks per node. Why does Handel need only ${few} checks?`;
}

/**
 * Describes how Byzantine nodes affect bulk verification and Handel: the verdict, and the reason for it.
 *
 * @param before results of the same protocols without Byzantine nodes.
 */
export function byzantineWords(
  before: readonly RaceOutcome[],
  after: readonly RaceOutcome[],
  byzantine: number,
): Conclusion & { readonly verdict: string; readonly why: string } {
  const of = (outcomes: readonly RaceOutcome[], protocol: RaceProtocol) =>
    outcomes.find((one) => one.protocol === protocol)!;
  const [sumBefore, sum] = [of(before, 'complete-graph-bulk'), of(after, 'complete-graph-bulk')];
  const [treeBefore, tree] = [of(before, 'handel'), of(after, 'handel')];
  const [first] = finished(after);
  const bulkWins = byzantine === 1 ? ' Bulk verification still wins.' : ' Bulk verification wins.';
  const winner = first === undefined ? '' : first === tree ? ' Handel wins.' : bulkWins;
  const verdict = `With ${invalidSigners(byzantine)}, bulk verification ${timeWords(sum, sumBefore)}, and Handel ${timeWords(tree, treeBefore)}.${winner}`;
  const splits =
    sum.checked > 2 * sumBefore.checked
      ? ` An invalid signature invalidates the sum, so a node repeatedly splits the sum in half. It makes ${checks(sum.checked)} checks instead of ${checks(sumBefore.checked)}.`
      : '';
  const confined =
    splits !== '' && tree.checked - treeBefore.checked < (sum.checked - sumBefore.checked) / 2
      ? ` In Handel, an invalid signature affects only one branch of the tree, so a node makes ${checks(tree.checked)} checks instead of ${checks(treeBefore.checked)}.`
      : '';
  const slower =
    tree.reached === tree.live && tree.lastMs > treeBefore.lastMs
      ? ' Levels with an invalid signer never become complete. Handel’s nodes therefore send at the next regular time instead of immediately.'
      : '';
  const usual =
    first === tree && finished(before)[0]?.protocol === sumBefore.protocol
      ? ' Without invalid signers, bulk verification wins.'
      : '';
  const facts = [
    ...[sumBefore, treeBefore].map((one) => `no invalid signers: ${fact(one)}`),
    ...[sum, tree].map((one) => `${invalidSigners(byzantine)}: ${fact(one)}`),
  ];
  return {
    said: `${verdict}${splits}${confined}${slower}${usual}`,
    verdict,
    why: `${splits}${confined}${usual}`,
    facts,
  };
}

/** Returns a number of invalid signers in words. */
export function invalidSigners(byzantine: number): string {
  return `${spelled(byzantine).toLowerCase()} invalid ${byzantine === 1 ? 'signer' : 'signers'}`;
}

const title = ({ protocol }: RaceOutcome): string => raceTexts[protocol].within;

function times(ratio: number): string {
  return `${ratio.toFixed(1)} times`;
}

function list(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  return others.length < 2 ? names.join(' and ') : `${others.toReversed().join(', ')}, and ${last}`;
}
