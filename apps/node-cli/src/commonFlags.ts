import { type Command, Option } from 'commander';
import { numberFlag, seedFlag } from './flags.ts';

/** What several commands take, in one wording. */
export const jsonOption = new Option('--json', 'print one JSON document');

export const forceOption = new Option('--force', 'replace files that exist');

/** Of nodes whose keys are a rehearsal's. */
export interface RehearsedRunOptions {
  readonly message: string;
  readonly seed: number;
  /** Seconds. */
  readonly timeout: number;
}

/** @param words what the message is, what follows from the seed, and what has to be done within the timeout of so many seconds. */
export function withRehearsedRunFlags(
  command: Command,
  words: { readonly message: string; readonly seed: string; readonly timeout: string; readonly timeoutSeconds: number },
): Command {
  return command
    .option('--message <text>', words.message, 'tutti')
    .option('--seed <n>', `an integer from 0 to 4294967295; the same seed gives the same ${words.seed}`, seedFlag, 1)
    .option(
      '--timeout <s>',
      `give up after this time${words.timeout}`,
      numberFlag('--timeout', 'seconds, a number over 0 and at most 3600', (s) => s > 0 && s <= 3600),
      words.timeoutSeconds,
    );
}
