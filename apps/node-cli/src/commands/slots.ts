import { Command } from 'commander';
import type { Context } from '../context.ts';
import { slotArrivals } from '../studies/slotArrivals.ts';
import { slotDeadlines } from '../studies/slotDeadlines.ts';
import { slotMap } from '../studies/slotMap.ts';
import { slotNetwork } from '../studies/slotNetwork.ts';
import { slotProposals } from '../studies/slotProposals.ts';
import { slotSensitivity } from '../studies/slotSensitivity.ts';
import { slotSimulators } from '../studies/slotSimulators.ts';

export function slotsCommand(context: Context): Command {
  return new Command('slots')
    .description("Slots on Ethereum's network: votes as they are today, proposals for shorter slots, and Horn.")
    .addCommand(slotNetwork(context))
    .addCommand(slotDeadlines(context))
    .addCommand(slotMap(context))
    .addCommand(slotProposals(context))
    .addCommand(slotArrivals(context))
    .addCommand(slotSensitivity(context))
    .addCommand(slotSimulators(context));
}
