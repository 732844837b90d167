import { lines, marks } from 'virtual:handel-text';
import type { Scenario } from '@tutti/simulation';
import type { EditedRules } from '../rules/editedRules.ts';

/**
 * Outcome for a contribution. `queued`: the contribution waits for verification. `aside`: the contribution is stored
 * until it can improve In_l. `chosen`: the contribution is being verified. `taken`: the contribution is valid.
 * `dropped`: the contribution is invalid, or cannot improve In_l.
 */
export type Fate = 'queued' | 'aside' | 'chosen' | 'taken' | 'dropped';

/** Event of the node, with the places in the source that the node executed. */
export interface TracedEvent {
  readonly timeUs: number;
  readonly kind: 'start' | 'message' | 'timer' | 'verified';
  /** Sender of the message; -1 for events other than messages. */
  readonly from: number;
  /** Level of the message; 0 for events other than messages. */
  readonly level: number;
  /** Marks of the executed places, in the order of their first execution. */
  readonly marks: readonly number[];
  /** Decisions about contributions, in the order in which they were made. */
  readonly decisions: readonly Decision[];
}

/** Decision about the contributions of a sender on a level, with the mark of the deciding statement. */
export interface Decision {
  readonly mark: number;
  readonly level: number;
  readonly sender: number;
}

/** Run in which one node executes the traced version of the readable Handel. */
export interface TracedRun {
  readonly digest: string;
  /** Events of the node, in order of time. */
  readonly events: readonly TracedEvent[];
}

/**
 * Returns whether the readable Handel supports a scenario. The readable Handel has no batches, and its mechanisms
 * cannot be switched off.
 */
export function isReadable({ protocol, batch, without }: Scenario): boolean {
  return protocol === 'handel' && batch === 1 && without.length === 0;
}

/**
 * State of a line: the line was executed (`ran`), or only its condition was evaluated, with the result false (`asked`).
 */
export type Lit = 'ran' | 'asked';

/** Returns the first line of a function; -1 if there is no such function. */
function startOf(name: string): number {
  return lines.findIndex((line) => line.startsWith(`  function ${name}(`));
}

/** First line of the rules: the methods that a node executes after its creation. */
export const firstLine = startOf('start');
/** Text of the rules, beginning with the line at index {@link firstLine} of the file. */
export const shownLines: readonly string[] = lines.slice(firstLine, lines.lastIndexOf('}'));

/** Returns the lines that were executed because of an event. */
export function litLines({ marks: ran }: Pick<TracedEvent, 'marks'>): ReadonlyMap<number, Lit> {
  const lit = new Map<number, Lit>();
  for (const one of ran) {
    const [first, last, isTest] = marks[one]!;
    for (let line = first; line <= last; line++) {
      if (!isTest) lit.set(line, 'ran');
      else if (!lit.has(line)) lit.set(line, 'asked');
    }
  }
  return lit;
}

/** Returns the marks of a line: the marks of its statements or, if there are none, the marks of its conditions. */
export function marksOf(line: number): readonly number[] {
  const here = [...marks.keys()].filter((one) => marks[one]![0] <= line && line <= marks[one]![1]);
  const ran = here.filter((one) => !marks[one]![2]);
  return ran.length > 0 ? ran : here;
}

/**
 * Returns the index of the next event in which a line is executed; after the last event, the search starts from the
 * first. Returns undefined if the line is never executed.
 */
export function nextAt(events: readonly TracedEvent[], line: number, after: number): number | undefined {
  const wanted = marksOf(line);
  const runs = [...events.keys()].filter((place) => events[place]!.marks.some((one) => wanted.includes(one)));
  return runs.find((place) => place > after) ?? runs[0];
}

/** Returns the section of the paper that a line belongs to, based on the file's headings. */
export function sectionOf(line: number): string {
  const heading = lines.slice(0, line + 1).findLast((one) => /^ {2}\/\/ \d/.test(one));
  return heading === undefined ? '' : heading.replace(/^ {2}\/\/ /, '');
}

/** Returns the first and the last line of a function; the first is -1 if there is no such function. */
function borderLines(name: string): readonly [from: number, to: number] {
  const from = startOf(name);
  return [from, lines.findIndex((line, at) => at > from && line === '  }')];
}

/** Returns the first line in a function that contains a given text. @throws RangeError if there is no such line. */
function lineIn(name: string, text: string): number {
  const [from, to] = borderLines(name);
  const line = lines.findIndex((one, at) => from < at && at < to && one.includes(text));
  if (from < 0 || line < 0) throw new RangeError(`handel.ts: expected "${text}" in ${name}, got none`);
  return line;
}

/** Lines that contain the constants and rules that a reader can change. */
export const ruleLines: Readonly<Record<keyof EditedRules, readonly number[]>> = {
  expansion: [lineIn('onVerified', 'nextWindowSize(')],
  contraction: [lineIn('onVerified', 'nextWindowSize(')],
  order: [lineIn('choose', 'return found.sort('), lineIn('chooseUnderAttack', 'return found.sort(')],
  score: [lineIn('scoreOfAggregate', 'return level.weight +')],
};

/** Statements that decide about a contribution: the function, a text in the statement's line, and the outcome. */
const deciding: readonly (readonly [name: string, text: string, fate: Fate])[] = [
  ['receive', 'level.dormant.set(', 'aside'],
  ['receive', 'entryOf(level, from).individual = single', 'queued'],
  ['receive', 'keepHeavier(', 'queued'],
  ['wakeDormant', 'entryOf(level, sender).individual = individual', 'queued'],
  ['verifyNext', 'ticket = port.verify(', 'chosen'],
  ['takeValid', 'verifications.set(', 'taken'],
  ['blacklistSender', 'list.delete(sender)', 'dropped'],
  ['pruneLevel', 'unverified.delete(sender)', 'dropped'],
  ['pruneUseless', 'unverified.delete(sender)', 'dropped'],
  ['pruneUseless', 'level.dormant.set(', 'aside'],
];

/** Outcome of a contribution, by the mark of the statement that decides the outcome. */
export const fateOfMark: ReadonlyMap<number, Fate> = new Map(
  deciding.map(([name, text, fate]) => {
    const line = lineIn(name, text);
    // The mark is that of the innermost statement on the line. A condition before this statement has its own mark.
    const mark = marks.findLastIndex(([first, last, isTest]) => !isTest && first <= line && line <= last);
    return [mark, fate];
  }),
);

/**
 * Returns the last event up to a moment that decided one of the given outcomes for a contribution, with the deciding
 * line, or undefined if there is no such event.
 */
export function decisionAbout(
  events: readonly TracedEvent[],
  { level, sender }: { readonly level: number; readonly sender: number },
  fates: readonly Fate[],
  untilUs: number,
): { readonly place: number; readonly line: number; readonly fate: Fate } | undefined {
  for (let place = events.length - 1; place >= 0; place--) {
    const { timeUs, decisions } = events[place]!;
    if (timeUs > untilUs) continue;
    const found = decisions.findLast(
      (one) => one.level === level && one.sender === sender && fates.includes(fateOfMark.get(one.mark)!),
    );
    if (found !== undefined) return { place, line: marks[found.mark]![0], fate: fateOfMark.get(found.mark)! };
  }
  return undefined;
}

/** Functions whose lines explain a decision best, the best first. */
const explanatory = [
  'chooseUnderAttack',
  'choose',
  'blacklistSender',
  'takeValid',
  'receive',
  'endPeriod',
  'startLevels',
  'onMessage',
  'start',
];

/** Returns the line to scroll to: the first executed line of the function that explains the decision best. */
export function focusOf(lit: ReadonlyMap<number, Lit>): number | undefined {
  for (const name of explanatory) {
    const [from, to] = borderLines(name);
    const found = [...lit.keys()].filter((line) => from < line && line < to).sort((a, b) => a - b)[0];
    if (found !== undefined) return found;
  }
  return [...lit.keys()].sort((a, b) => a - b)[0];
}
