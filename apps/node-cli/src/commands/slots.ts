import { Command } from 'commander';
import type { Context } from '../context.ts';
import { hornArrivals } from '../studies/hornArrivals.ts';
import { hornAssumptions } from '../studies/hornAssumptions.ts';
import { hornBeside } from '../studies/hornBeside.ts';
import { hornMap } from '../studies/hornMap.ts';
import { hornNetwork } from '../studies/hornNetwork.ts';
import { hornProposals } from '../studies/hornProposals.ts';
import { slotDeadlines } from '../studies/slotDeadlines.ts';

export function slotsCommand(context: Context): Command {
  return new Command('slots')
    .description("Ethereum's slots on its network: today's votes, proposals for shorter slots, and Horn beside them.")
    .addCommand(hornNetwork(context))
    .addCommand(slotDeadlines(context))
    .addCommand(hornMap(context))
    .addCommand(hornProposals(context))
    .addCommand(hornArrivals(context))
    .addCommand(hornAssumptions(context))
    .addCommand(hornBeside(context));
}
