import { handelSettings, mechanisms } from '@tutti/core';
import { integers } from '@tutti/core/input';
import { scenarioTable } from '@tutti/simulation/fields';
import { Option } from 'commander';
import { choice, type Flag, flag, optionOf, ranged, setting, several, toggle } from './flags.ts';

/** Flags that several commands share, each with one help text. */
export const jsonFlag = toggle('print one JSON document');

export const forceFlag = toggle('replace existing files');

export const jsonOption = new Option('--json', jsonFlag.about);

export const forceOption = new Option('--force', forceFlag.about);

/**
 * Returns the flag for the seed.
 *
 * @param about description of its effect, if help shows more than its range.
 */
export function seedFlag(about = scenarioTable.seed.about): Flag<number, true> {
  return setting({ ...scenarioTable.seed, about });
}

export function seedOption(about?: string): Option {
  return optionOf('seed', seedFlag(about));
}

/**
 * Returns the flag for the number of seeds that a table summarises, from `--seed` on.
 *
 * @param standing default. If ten seeds take over a minute, it is smaller, and the help says so.
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

/** Returns this many consecutive seeds, beginning with `first`. */
export function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

/** Number of parallel jobs. */
export const jobs = integers(1, 1024);

/** Flag for the number of parallel jobs. The command decides its default. */
export const jobsFlag = flag('<n>', 'number of parallel runs (default: one per core)', ranged(jobs));

/**
 * Returns the option for the number of parallel jobs.
 *
 * @param kind kind of command to which the option applies; undefined for all commands.
 */
export function jobsOption(kind?: string): Option {
  return optionOf('jobs', { ...jobsFlag, ...(kind !== undefined && { about: `${kind}: ${jobsFlag.about}` }) });
}

export const svgOption = new Option(
  '--svg <file>',
  'also draw the results to this file; with -, print only the drawing, to standard output',
);

/** Flag to switch off mechanisms of Handel. */
export const withoutFlag = flag(
  '<mechanism>',
  `${handelSettings.without.about}; repeatable: ${mechanisms.join(', ')}`,
  several(choice(mechanisms)),
  handelSettings.without.default,
);
