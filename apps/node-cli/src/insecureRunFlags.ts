import { seedSetting } from '@tutti/core/input';
import { type PriorityRows, priorityRows } from '@tutti/transports';
import type { Command } from 'commander';
import { seedOption } from './commonFlags.ts';
import { choice, flag, numberFlag, optionOf } from './flags.ts';

export const prioritiesFlag = flag(
  '<name>',
  'verification priorities of the nodes, which all nodes must agree on: independent or shifted rows',
  choice(priorityRows),
  'independent',
);

/** Options of nodes with insecure test keys. */
export interface InsecureRunOptions {
  readonly message: string;
  readonly seed: number;
  readonly priorities: PriorityRows;
  /** Time limit, seconds. */
  readonly timeout: number;
}

/**
 * Adds the options.
 *
 * @param words descriptions of the message, of the data that follows from the seed, and of the timeout, with its
 * default in seconds.
 */
export function withInsecureRunFlags(
  command: Command,
  words: { readonly message: string; readonly seed: string; readonly timeout: string; readonly timeoutSeconds: number },
): Command {
  return command
    .option('--message <text>', words.message, 'tutti')
    .addOption(seedOption(`${seedSetting.about}; the same seed gives the same ${words.seed}`))
    .addOption(optionOf('priorities', prioritiesFlag))
    .option(
      '--timeout <s>',
      `time after which the command fails${words.timeout}`,
      numberFlag('--timeout', 'seconds, a number greater than 0 and at most 3600', (s) => s > 0 && s <= 3600),
      words.timeoutSeconds,
    );
}
