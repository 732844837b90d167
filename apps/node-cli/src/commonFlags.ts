import { integers } from '@tutti/core/internal';
import { scenarioTable } from '@tutti/simulation/internal';
import { Option } from 'commander';
import { fieldOption, ranged, toggle } from './flags.ts';

/** What several commands take, in one wording. */
export const jsonFlag = toggle('print one JSON document');

export const forceFlag = toggle('replace files that exist');

export const jsonOption = new Option('--json', jsonFlag.about);

export const forceOption = new Option('--force', forceFlag.about);

/** @param about what it draws, if help is to say more than its range. */
export function seedOption(about = scenarioTable.seed.about): Option {
  return fieldOption({ ...scenarioTable.seed, about }, scenarioTable.seed.default);
}

const jobs = integers(1, 1024);

/** How many of `what` a command does at once; it knows itself what stands where it is not given. */
export function jobsOption(): Option {
  return new Option('--jobs <n>', 'runs at once (default: one per core)').argParser(ranged(jobs)('--jobs'));
}

export const svgOption = new Option(
  '--svg <file>',
  'also draw it to this file; - for the standard output, and nothing else',
);
