import {
  additions,
  batchedMs,
  clientSettings,
  defaultMachine,
  defaultSlotScenario,
  keySumsSetting,
  machineNames,
  machines,
  slotSettings,
  type VerificationCosts,
} from '@tutti/ethereum/settings';
import { choice, type FlagsOf, flag, ranged } from '../flags.ts';

/** Flags of a machine. Costs that are not given follow from the machine. */
export const machineFlags = {
  machine: flag(
    '<name>',
    `machine that runs the verifications, one of ${machineNames.join(', ')} (default: ${defaultMachine})`,
    choice(machineNames),
  ),
  batch: flag('<n>', `${clientSettings.batch.about} (default: 1, each separately)`, ranged(clientSettings.batch.range)),
  additionNs: flag(
    '<ns>',
    `${slotSettings.additionNs.about} (default: the machine's value, scaled by --verify-ms)`,
    ranged(additions),
  ),
  keySums: flag(
    '<name>',
    `method of summing a collection's keys, naive or subtracting (default: ${keySumsSetting.default})`,
    ranged(keySumsSetting.range),
  ),
};

/** Flag for commands without a `--verify-ms` of their own. */
export const verifyFlag = {
  verifyMs: flag(
    '<ms>',
    `${slotSettings.verifyMs.about} (default: the machine's)`,
    ranged(slotSettings.verifyMs.range),
  ),
};

/** Values of a machine's flags. Values that are not given follow from the machine. */
export type MachineFlags = { readonly [K in keyof Machines]?: Machines[K] | undefined };
type Machines = FlagsOf<typeof machineFlags & typeof verifyFlag>;

/**
 * Returns a machine's complete costs. A given cost of a check scales the whole machine. One machine's checks are never
 * combined with another's additions, unless both costs are given.
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
