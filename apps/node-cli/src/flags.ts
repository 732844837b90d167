import type { AnyRange, IntegerRange, NumberRange, Range, Setting } from '@tutti/core/settings';
import {
  badChoice,
  badText,
  choiceText,
  durationText,
  type Field,
  formOf,
  integerText,
  numberText,
  readerOf,
  scenarioTable,
  type TextReader,
  textsIn,
} from '@tutti/simulation/fields';
import { type Command, Option } from 'commander';
import { UsageError } from './usageError.ts';

/** The one line about a bad value: the flag, what was expected, what came. */
export function badValue(flag: string, expected: string, got: string): UsageError {
  return new UsageError(badText(flag, expected, got).message);
}

/**
 * The one line about a value of which a word is none of these, and which of them was most likely meant.
 *
 * @param got all that was typed. @param expected what it should have been. @param word the part that is no choice.
 */
export function badChoiceValue(
  flag: string,
  choices: readonly string[],
  got: string,
  expected?: string,
  word?: string,
): UsageError {
  return new UsageError(badChoice(flag, choices, got, expected, word).message);
}

/** A flag without its dashes, and what it sets, as errors name it. */
export interface FlagPath {
  readonly name: string;
  readonly path: string;
}

/** For a command whose flags are named as what they set. */
export function flagPaths(command: Command): FlagPath[] {
  return command.options.map((option) => ({ name: option.name(), path: option.attributeName() }));
}

/**
 * What no single flag shows: shares that add up to too much, a count over the number of nodes.
 *
 * @throws UsageError that names the flag instead of what it sets.
 */
export function validatedFlags<T>(paths: readonly FlagPath[], make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const [path] = error.message.split(':', 1);
    const field = paths.find((one) => one.path === path);
    throw new UsageError(field === undefined ? error.message : `--${field.name}${error.message.slice(path!.length)}`);
  }
}

/** Reads a flag's text; throws a UsageError that names the flag. */
export type FlagReader<T> = (text: string) => T;

/** Reads a flag as core reads the text. */
export function flagOf<T>(flag: string, read: TextReader<T>): FlagReader<T> {
  return (text) => {
    try {
      return read(flag, text);
    } catch (error) {
      throw error instanceof RangeError ? new UsageError(error.message) : error;
    }
  };
}

export function integerFlag(flag: string, least: number, most: number): FlagReader<number> {
  return flagOf(flag, integerText(least, most));
}

/** @param holds the range that `range` describes. */
export function numberFlag(flag: string, range: string, holds: (value: number) => boolean): FlagReader<number> {
  return flagOf(flag, numberText(range, holds));
}

/** A duration in ms, up to ten minutes. */
export function durationFlag(flag: string, minMs = 0): FlagReader<number> {
  return flagOf(flag, durationText(minMs));
}

export function choiceFlag<T extends string>(flag: string, choices: readonly T[]): FlagReader<T> {
  return flagOf(flag, choiceText(choices));
}

/** Reads a flag that a scenario has too, in the range that it has there. */
export function fieldFlag<T>({ name, range }: Field<T>): FlagReader<T> {
  return flagOf(`--${name}`, readerOf(range));
}

/** A flag that a scenario has too. @param standing its default; undefined for none. */
export function fieldOption<T>(field: Field<T>, standing: T | undefined): Option {
  const option = new Option(`--${field.name} ${formOf(field)}`, field.about).argParser(fieldFlag(field));
  return standing === undefined ? option : option.default(standing);
}

/** How a flag's text is read: for the flag of this name, with its dashes. */
type ReaderFor<T> = (flag: string) => (text: string, ...before: never[]) => T;

/** A flag, stated once: of its row in a {@link FlagTable} come its name, its help and what the command is given. */
export interface Flag<T, Standing extends boolean> {
  /** How its value is shown in help; undefined for a switch. */
  readonly form?: string;
  readonly about: string;
  readonly read?: ReaderFor<T>;
  /** What stands where it is not given. */
  readonly standing?: T;
  /** How help shows that, if not as it is. */
  readonly standingText?: string;
  /** Whether it is on unless `--no-…` is given. */
  readonly isOn?: boolean;
  /** Whether the command refuses to go without it. */
  readonly isRequired?: boolean;
  /** Never set: whether it has a value whatever is given, so that a command's options say which may be missing. */
  readonly hasStanding?: Standing;
}

/** Flags by what they set: `jsonLines` is `--json-lines`. */
export type FlagTable = Readonly<Record<string, Flag<unknown, boolean>>>;

type ValueOf<F> = F extends Flag<infer T, boolean> ? T : never;

/** What a command with such flags is given. */
export type FlagsOf<Table> = {
  readonly [K in keyof Table as Table[K] extends Flag<unknown, true> ? K : never]: ValueOf<Table[K]>;
} & {
  readonly [K in keyof Table as Table[K] extends Flag<unknown, true> ? never : K]?: ValueOf<Table[K]>;
};

export function flag<T>(form: string, about: string, read: ReaderFor<T>): Flag<T, false>;
export function flag<T>(form: string, about: string, read: ReaderFor<T>, standing: T, text?: string): Flag<T, true>;
export function flag<T>(
  form: string,
  about: string,
  read: ReaderFor<T>,
  standing?: T,
  text?: string,
): Flag<T, boolean> {
  if (standing === undefined) return { form, about, read };
  return { form, about, read, standing, ...(text !== undefined && { standingText: text }) };
}

/** What the command does not go without. */
export function required<T>(form: string, about: string, read: ReaderFor<T>): Flag<T, true> {
  return { form, about, read, isRequired: true };
}

/** The flag of a setting: its default, its range and its words. */
export function setting<T>({
  range,
  about,
  default: standing,
  form,
}: Setting<T> & Pick<Field<T>, 'form'>): Flag<T, true> {
  const shown = formOf({ range: range as AnyRange, ...(form !== undefined && { form }) });
  const [text] = textsIn(range as AnyRange, standing);
  return flag(shown, about, ranged(range), standing, text);
}

/** The most that a setting takes. */
export function maxIn({ range }: Setting<number>): number {
  return 'most' in range ? range.most : Number.POSITIVE_INFINITY;
}

/** The same, and help says from where to where it goes. */
export function countSetting(of: Setting<number>): Flag<number, true> {
  const span = 'least' in of.range ? `, ${of.range.least} to ${of.range.most}` : '';
  return setting({ ...of, about: `${of.about}${span}` });
}

/** On, unless `--no-…` is given. */
export function unless(about: string): Flag<boolean, true> {
  return { about, isOn: true };
}

/** What may be given more than once: all of it, in order. */
export const several =
  <T>(read: (flag: string) => FlagReader<T>) =>
  (flag: string) => {
    const one = read(flag);
    return (text: string, before: readonly T[] = []): readonly T[] => [...before, one(text)];
  };

/** A value of a range. */
export function ranged(range: IntegerRange | NumberRange): (flag: string) => FlagReader<number>;
export function ranged<T>(range: Range<T>): (flag: string) => FlagReader<T>;
export function ranged<T>(range: Range<T>): (flag: string) => FlagReader<T> {
  return (flag) => flagOf<T>(flag, readerOf(range));
}

/** Present or not. */
export function toggle(about: string): Flag<boolean, false> {
  return { about };
}

/** Any text, as it is. */
export const words = () => (text: string) => text;

export const integer = (least: number, most: number) => (flag: string) => integerFlag(flag, least, most);

export const choice =
  <const T extends string>(of: readonly T[]) =>
  (flag: string) =>
    choiceFlag(flag, of);

export const seconds = (least: number, most: number) => (flag: string) =>
  numberFlag(flag, `seconds, a number from ${least} to ${most}`, (s) => s >= least && s <= most);

/** @param short of the one that has a letter too, such as `n` for `--nodes`. */
export function withFlags(command: Command, table: FlagTable, short: Readonly<Record<string, string>> = {}): Command {
  for (const [key, row] of Object.entries(table)) command.addOption(optionOf(key, row, short[key]));
  return command;
}

/** One flag of a table, by its key. */
export function optionOf(key: string, row: Flag<unknown, boolean>, letter?: string): Option {
  const { form, about, read, standing, standingText, isOn, isRequired } = row;
  const name = `--${isOn ? 'no-' : ''}${key.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
  const short = letter === undefined ? '' : `-${letter}, `;
  const option = new Option(`${short}${name}${form === undefined ? '' : ` ${form}`}`, about);
  if (read !== undefined) option.argParser(read(name) as FlagReader<unknown>);
  if (isRequired) option.makeOptionMandatory();
  return standing === undefined ? option : option.default(standing, standingText);
}

/** For commands that run several sizes, to which no single count applies. */
export const thresholdShareFlag = numberFlag(
  '--threshold',
  'a share over 0 and up to 1',
  (share) => share > 0 && share <= 1,
);

export const deadFlag = fieldFlag(scenarioTable.dead);

/** A list behind commas, each value once. */
export function listFlag<T>(read: FlagReader<T>): FlagReader<readonly T[]> {
  return (text) => [...new Set(text.split(',').map((one) => read(one.trim())))];
}
