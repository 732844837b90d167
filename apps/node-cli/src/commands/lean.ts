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
    .description('Post-quantum Ethereum: provers put votes into proofs and merge the proofs in seconds.')
    .addCommand(leanSlotCommand(context))
    .addCommand(leanStrategiesCommand(context))
    .addCommand(leanChainCommand(context))
    .addCommand(leanRulesCommand(context))
    .addCommand(leanMapCommand(context))
    .addCommand(profileCommand(context));
}

function profileCommand(context: Context): Command {
  return new Command('profile')
    .description("Print a chain's profile as JSON, for editing and for use with --profile.")
    .argument('<name>', `one of ${leanProfileNames.join(', ')}`, choiceFlag('name', leanProfileNames))
    .action((name: string) => context.out(`${JSON.stringify(leanProfiles[name], null, 2)}\n`));
}
