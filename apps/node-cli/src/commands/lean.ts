import { leanProfileNames, leanProfiles } from '@tutti/ethereum/lean';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { choiceFlag } from '../flags.ts';
import { leanChainCommand } from './leanChain.ts';
import { leanMapCommand } from './leanMap.ts';
import { leanRulesCommand } from './leanRules.ts';
import { leanSlotCommand } from './leanSlot.ts';
import { leanStrategiesCommand } from './leanStrategies.ts';

export function leanCommand(context: Context): Command {
  return new Command('lean')
    .description(
      'Post-quantum Ethereum, in which provers aggregate votes in proofs and merge these proofs within seconds.',
    )
    .addCommand(leanSlotCommand(context))
    .addCommand(leanStrategiesCommand(context))
    .addCommand(leanChainCommand(context))
    .addCommand(leanRulesCommand(context))
    .addCommand(leanMapCommand(context))
    .addCommand(profileCommand(context));
}

function profileCommand(context: Context): Command {
  return new Command('profile')
    .description("Print a chain's profile as JSON, to be edited and passed to --profile.")
    .argument('<name>', `one of ${leanProfileNames.join(', ')}`, choiceFlag('name', leanProfileNames))
    .action((name: string) => context.out(`${JSON.stringify(leanProfiles[name], null, 2)}\n`));
}
