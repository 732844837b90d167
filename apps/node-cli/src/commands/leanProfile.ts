import { leanProfileNames, leanProfiles } from '@tutti/ethereum/lean';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { choiceFlag } from '../flags.ts';

export function leanProfileCommand(context: Context): Command {
  return new Command('profile')
    .description("Print a chain's profile as JSON, to be edited and passed to --profile.")
    .argument('<name>', `one of ${leanProfileNames.join(', ')}`, choiceFlag('<name>', leanProfileNames))
    .action((name: string) => context.out(`${JSON.stringify(leanProfiles[name], null, 2)}\n`));
}
