import { Option } from 'commander';
import { toggle } from './flags.ts';

/** What several commands take, in one wording. */
export const jsonFlag = toggle('print one JSON document');

export const forceFlag = toggle('replace files that exist');

export const jsonOption = new Option('--json', jsonFlag.about);

export const forceOption = new Option('--force', forceFlag.about);

export const svgOption = new Option(
  '--svg <file>',
  'also draw it to this file; - for the standard output, and nothing else',
);
