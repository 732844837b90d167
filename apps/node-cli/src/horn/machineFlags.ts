import {
  batchedMs,
  defaultSlotScenario,
  type MachineName,
  machineNames,
  machines,
  type VerificationCosts,
} from '@tutti/simulation/slots';
import type { Command } from 'commander';
import { choiceFlag, durationFlag, integerFlag, numberFlag } from '../flags.ts';

/** The default machine of a slot. */
export const defaultMachine: MachineName = 'i7-8550U';

/** What the flags of a machine say; the rest follows from the machine. */
export interface MachineFlags {
  readonly machine?: MachineName | undefined;
  readonly batch?: number | undefined;
  readonly verifyMs?: number | undefined;
  readonly additionNs?: number | undefined;
  readonly keySums?: VerificationCosts['keySums'] | undefined;
}

/** @param ownVerifyMs whether the command has no `--verify-ms` of its own. */
export function addMachineFlags(command: Command, ownVerifyMs: boolean): Command {
  command
    .option(
      '--machine <name>',
      `the machine that verifies, one of ${machineNames.join(', ')} (default: ${defaultMachine})`,
      choiceFlag('--machine', machineNames),
    )
    .option('--batch <n>', 'signatures verified together (default: 1, each by itself)', integerFlag('--batch', 1, 1024))
    .option(
      '--addition-ns <ns>',
      "time to add two keys (default: the machine's, in proportion to --verify-ms)",
      numberFlag('--addition-ns', 'a number from 0 to 1000000', (ns) => ns <= 1e6),
    )
    .option(
      '--key-sums <name>',
      `how a collection's key is summed, naive or subtracting (default: ${defaultSlotScenario.keySums})`,
      choiceFlag('--key-sums', ['naive', 'subtracting']),
    );
  if (ownVerifyMs)
    command.option('--verify-ms <ms>', "cost of a check (default: the machine's)", durationFlag('--verify-ms'));
  return command;
}

/**
 * A machine's full set of costs. If the cost of a check is given, the whole machine is taken to be that much slower or
 * faster: one machine's checks are never combined with another's additions, unless both costs are given.
 */
export function machineCosts(flags: MachineFlags): VerificationCosts & { readonly checkMs: number } {
  const of = machines[flags.machine ?? defaultMachine];
  const checkMs = flags.verifyMs ?? of.verifyMs;
  const slower = checkMs / of.verifyMs;
  return {
    checkMs,
    verifyMs: batchedMs({ verifyMs: checkMs, claimMs: of.claimMs * slower }, flags.batch ?? 1),
    additionNs: flags.additionNs ?? of.additionNs * slower,
    keySums: flags.keySums ?? defaultSlotScenario.keySums,
  };
}
