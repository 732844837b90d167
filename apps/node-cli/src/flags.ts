import { handelSettings, mechanisms } from '@tutti/core';
import {
  type AnyRange,
  expected,
  type IntegerRange,
  integers,
  type NumberRange,
  type Range,
  type Setting,
  seedSetting,
} from '@tutti/core/input';
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
import { UsageError } from './context.ts';
import { counted } from './output/text.ts';

/** Returns the error for an invalid value in one line: the flag, the expected range and the value. */
export function badValue(flag: string, expected: string, got: string): UsageError {
  return new UsageError(badText(flag, expected, got).message);
}

/**
 * Returns the error for a value that contains an invalid choice. The message suggests the most similar valid choice.
 *
 * @param got the complete text. @param expected description of valid values. @param word the invalid part of the text.
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

/** Name of a flag without dashes, and the path of its field in error messages. */
interface FlagPath {
  readonly name: string;
  readonly path: string;
}

/** Returns the flags of a command whose flags have the same names as the fields that they set. */
export function flagPaths(command: Command): FlagPath[] {
  return command.options.map((option) => ({ name: option.name(), path: option.attributeName() }));
}

/**
 * Calls a function that validates conditions over several flags, for example that a sum of shares or a count of nodes
 * is not too large.
 *
 * @throws UsageError that names the flag instead of the field.
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

/** Returns the first given flag for which `holds` is true, with its dashes; undefined if there is none. */
export function givenFlag(command: Command, holds: (flag: string) => boolean): string | undefined {
  const isGiven = (option: Option) => command.getOptionValueSource(option.attributeName()) === 'cli';
  return command.options.find((option) => isGiven(option) && holds(option.long ?? ''))?.long;
}

/** Reads the text of a flag; throws a UsageError that names the flag. */
export type FlagReader<T> = (text: string) => T;

/** Returns the reader for a flag whose values are read by a text reader of the simulation package. */
export function flagOf<T>(flag: string, read: TextReader<T>): FlagReader<T> {
  return (text) => {
    try {
      return read(flag, text);
    } catch (error) {
      throw error instanceof RangeError ? new UsageError(error.message) : error;
    }
  };
}

export function integerFlag(flag: string, min: number, max: number): FlagReader<number> {
  return flagOf(flag, integerText(min, max));
}

/**
 * Returns the reader for a number.
 *
 * @param holds returns whether a value lies in the range that `range` describes.
 */
export function numberFlag(flag: string, range: string, holds: (value: number) => boolean): FlagReader<number> {
  return flagOf(flag, numberText(range, holds));
}

/** Returns the reader for a duration from `minMs` to 600,000, ms. */
export function durationFlag(flag: string, minMs = 0): FlagReader<number> {
  return flagOf(flag, durationText(minMs));
}

export function choiceFlag<T extends string>(flag: string, choices: readonly T[]): FlagReader<T> {
  return flagOf(flag, choiceText(choices));
}

/** Returns the reader for a flag that is also a field of a scenario, with the range of that field. */
export function fieldFlag<T>({ name, range }: Field<T>): FlagReader<T> {
  return flagOf(`--${name}`, readerOf(range));
}

/**
 * Returns the option for a field of a scenario.
 *
 * @param standing default of the option; undefined if the option has no default.
 */
export function fieldOption<T>(field: Field<T>, standing: T | undefined): Option {
  const option = new Option(`--${field.name} ${formOf(field)}`, field.about).argParser(fieldFlag(field));
  return standing === undefined ? option : option.default(standing);
}

/** Returns the reader for the text of the flag with this name, which includes the dashes. */
type ReaderFor<T> = (flag: string) => (text: string, ...before: never[]) => T;

/** A flag as a row of a {@link FlagTable}, which determines the flag's name, help and option. */
export interface Flag<T, Standing extends boolean> {
  /** Placeholder for the value of the flag in help; undefined for a switch. */
  readonly form?: string;
  readonly about: string;
  readonly read?: ReaderFor<T>;
  /** Default value. */
  readonly standing?: T;
  /** Text of the default in help, if it differs from the default value. */
  readonly standingText?: string;
  /** True if the flag is on unless the user gives `--no-…`. */
  readonly isOn?: boolean;
  /** True if the command requires the flag. */
  readonly isRequired?: boolean;
  /** This field is never set. The type of this field states whether the option always has a value. */
  readonly hasStanding?: Standing;
}

/** Flags by the names of their fields; for example, `jsonLines` is the field of `--json-lines`. */
export type FlagTable = Readonly<Record<string, Flag<unknown, boolean>>>;

type ValueOf<F> = F extends Flag<infer T, boolean> ? T : never;

/** Values of the options of a command with such flags. */
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

export function required<T>(form: string, about: string, read: ReaderFor<T>): Flag<T, true> {
  return { form, about, read, isRequired: true };
}

/** Returns the flag for a setting, with the default, range and description of the setting. */
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

/** Returns the maximum value of a setting. */
export function maxIn({ range }: Setting<number>): number {
  return 'max' in range ? range.max : Number.POSITIVE_INFINITY;
}

/** Returns the flag for a count, with the range of the count in help. */
export function countSetting(of: Setting<number>): Flag<number, true> {
  const span = 'min' in of.range ? `, ${of.range.min} to ${of.range.max}` : '';
  return setting({ ...of, about: `${of.about}${span}` });
}

/** Returns a flag that is on unless the user gives `--no-…`. */
export function unless(about: string): Flag<boolean, true> {
  return { about, isOn: true };
}

/**
 * Returns the reader for a flag that may be given more than once. The value of the flag is the list of all given
 * values, in order.
 */
export const several =
  <T>(read: (flag: string) => FlagReader<T>) =>
  (flag: string) => {
    const one = read(flag);
    return (text: string, before: readonly T[] = []): readonly T[] => [...before, one(text)];
  };

/** Returns the reader for a value in a range. */
export function ranged(range: IntegerRange | NumberRange): (flag: string) => FlagReader<number>;
export function ranged<T>(range: Range<T>): (flag: string) => FlagReader<T>;
export function ranged<T>(range: Range<T>): (flag: string) => FlagReader<T> {
  return (flag) => flagOf<T>(flag, readerOf(range));
}

/** Returns a flag without a value. */
export function toggle(about: string): Flag<boolean, false> {
  return { about };
}

/** Reader for any text. */
export const words = () => (text: string) => text;

export const integer = (min: number, max: number) => (flag: string) => integerFlag(flag, min, max);

export const choice =
  <const T extends string>(of: readonly T[]) =>
  (flag: string) =>
    choiceFlag(flag, of);

export const seconds = (min: number, max: number) => (flag: string) =>
  numberFlag(flag, `seconds, a number from ${min} to ${max}`, (s) => s >= min && s <= max);

/** Returns the values of a table's flags if the user gives none of these flags. The table has no required flags. */
export function defaultsOf<Table extends FlagTable>(table: Table): FlagsOf<Table> {
  const values = Object.entries(table).flatMap(([key, { standing, isOn }]) => {
    const value = isOn ? true : standing;
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(values);
}

/**
 * Adds the flags of a table to a command.
 *
 * @param short letters of flags with a short form, for example `n` for `--nodes`.
 */
export function withFlags(command: Command, table: FlagTable, short: Readonly<Record<string, string>> = {}): Command {
  for (const [key, row] of Object.entries(table)) command.addOption(optionOf(key, row, short[key]));
  return command;
}

/** Returns the name of a field's flag without dashes in front, for example `slot-seconds` for `slotSeconds`. */
export function flagNameOf(key: string): string {
  return key.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

/** Returns the option for one flag in a table, given by its key. */
export function optionOf(key: string, row: Flag<unknown, boolean>, letter?: string): Option {
  const { form, about, read, standing, standingText, isOn, isRequired } = row;
  const name = `--${isOn ? 'no-' : ''}${flagNameOf(key)}`;
  const short = letter === undefined ? '' : `-${letter}, `;
  const option = new Option(`${short}${name}${form === undefined ? '' : ` ${form}`}`, about);
  if (read !== undefined) option.argParser(read(name) as FlagReader<unknown>);
  if (isRequired) option.makeOptionMandatory();
  return standing === undefined ? option : option.default(standing, standingText);
}

/** Reads a threshold for commands that run several sizes, because a single count cannot apply to all sizes. */
export const thresholdShareFlag = numberFlag(
  '--threshold',
  'a share greater than 0 and at most 1',
  (share) => share > 0 && share <= 1,
);

export const deadFlag = fieldFlag(scenarioTable.dead);

/** Returns the reader for a comma-separated list. The reader drops repeated values. */
export function listFlag<T>(read: FlagReader<T>): FlagReader<readonly T[]> {
  return (text) => [...new Set(text.split(',').map((one) => read(one.trim())))];
}

/** Flag for output as JSON, with the same help text in all commands. */
export const jsonFlag = toggle('print one JSON document');

/** @throws UsageError for both `--markdown` and `--json`. */
export function requireOneForm({ json, markdown }: { readonly json?: boolean; readonly markdown?: boolean }): void {
  if (json && markdown) throw new UsageError('--markdown: cannot be combined with --json');
}

export const forceFlag = toggle('replace existing files');

export const jsonOption = optionOf('json', jsonFlag);

export const forceOption = optionOf('force', forceFlag);

/**
 * Returns the flag for the seed.
 *
 * @param about description of the seed's effect, if help shows more than its range.
 */
export function seedFlag(about = scenarioTable.seed.about): Flag<number, true> {
  return setting({ ...scenarioTable.seed, about });
}

export function seedOption(about?: string): Option {
  return optionOf('seed', seedFlag(about));
}

/**
 * Returns the flag for the number of seeds that a table summarises, starting with `--seed`.
 *
 * @param standing default number of seeds. If ten seeds take over a minute, it is smaller, and the help states the
 * reason.
 */
export function seedsFlag(standing = 10): Flag<number, true> {
  const why = standing < 10 ? '; ten seeds take over a minute' : '';
  return flag(
    '<n>',
    `number of consecutive seeds in the table, starting with --seed${why}`,
    ranged(integers(1, 1000)),
    standing,
  );
}

/** @throws UsageError if the last of consecutive seeds, starting with `first`, would exceed the maximum. */
export function requireSeeds(first: number, count: number): void {
  const max = maxIn(seedSetting) - first + 1;
  if (count > max)
    throw new UsageError(expected('--seeds', `at most ${counted(max, 'seed')} starting with ${first}`, count));
}

/** Returns the given number of consecutive seeds, starting with `first`. @throws UsageError by {@link requireSeeds}. */
export function seedsFrom(first: number, count: number): number[] {
  requireSeeds(first, count);
  return Array.from({ length: count }, (_, at) => first + at);
}

/** Range of the number of parallel jobs. */
export const jobs = integers(1, 1024);

/** Flag for the number of parallel jobs. The command determines the default of this flag. */
export const jobsFlag = flag('<n>', 'number of parallel runs (default: one per core)', ranged(jobs));

export function jobsOption(): Option {
  return optionOf('jobs', jobsFlag);
}

export const svgOption = new Option(
  '--svg <file>',
  'also draw the results to this file; with -, print only the drawing, to standard output',
);

/** Flag for switching off mechanisms of Handel. */
export const withoutFlag = flag(
  '<mechanism>',
  `${handelSettings.without.about}; repeatable: ${mechanisms.join(', ')}`,
  several(choice(mechanisms)),
  handelSettings.without.default,
);
