import { Option } from 'commander';

/** What several commands take, in one wording. */
export const jsonOption = new Option('--json', 'print one JSON document');

export const forceOption = new Option('--force', 'replace files that exist');

export const svgOption = new Option(
  '--svg <file>',
  'also draw it to this file; - for the standard output, and nothing else',
);
