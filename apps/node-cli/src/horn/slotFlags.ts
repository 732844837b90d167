import { type HornParameters, type HornSystem, hornSettings, validateHornParameters } from '@tutti/core/horn';
import type { AnyRange } from '@tutti/core/input';
import {
  additions,
  batchedMs,
  clientSettings,
  defaultMachine,
  defaultSlotScenario,
  hornAttacks,
  keySumsSetting,
  machineNames,
  machines,
  slotSettings,
  type VerificationCosts,
} from '@tutti/ethereum/settings';
import { formOf } from '@tutti/simulation/fields';
import type { Command } from 'commander';
import {
  choice,
  type Flag,
  type FlagsOf,
  flag,
  flagNameOf,
  givenFlag,
  ranged,
  validatedFlags,
  withFlags,
} from '../flags.ts';
import type { HornProtocol } from '../scenarioFlags.ts';

/** Voting system for each name of a protocol. */
export const systems: Readonly<Record<HornProtocol, HornSystem>> = {
  horn: 'horn',
  'horn-status-quo': 'status-quo',
  'horn-strawman': 'strawman',
};

type ParameterName = keyof HornParameters;

/** Names of Horn's parameters. */
export const parameterNames = Object.keys(hornSettings) as readonly ParameterName[];

/** Returns a flag for each of the parameters; {@link givenParameters} reads the flags that the user gave. */
export function parameterFlags<K extends ParameterName>(names: readonly K[]): Readonly<Record<K, Flag<number, false>>> {
  const entries = names.map((name) => {
    const { range, about, default: post } = hornSettings[name];
    return [name, flag(formOf({ range: range as AnyRange }), `${about}; the post: ${post}`, ranged(range))];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the base parameters with the changes that the flags specify.
 *
 * @param validatorsFlag same as for {@link validated}.
 */
export function givenParameters(
  options: Partial<HornParameters>,
  base: HornParameters,
  validatorsFlag?: string,
): HornParameters {
  const given = Object.fromEntries(
    parameterNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const changed = { ...base, ...given };
  validated(() => validateHornParameters(changed), validatorsFlag);
  return changed;
}

/**
 * Calls a function that validates conditions over several flags, such as that sizes divide evenly and that their
 * product is not too large.
 *
 * @param validatorsFlag name of the command's flag for the number of validators, without dashes, if it differs from the
 * usual name.
 */
export function validated<T>(make: () => T, validatorsFlag = 'validators'): T {
  return validatedFlags(
    parameterNames.map((path) => ({ name: path === 'validators' ? validatorsFlag : flagNameOf(path), path })),
    make,
  );
}

/** Flags for the costs of a machine. The machine determines the costs that the user does not give. */
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

/** Flag for commands that have no `--verify-ms` of their own. */
export const verifyFlag = {
  verifyMs: flag(
    '<ms>',
    `${slotSettings.verifyMs.about} (default: the machine's)`,
    ranged(slotSettings.verifyMs.range),
  ),
};

/** Values of the flags for a machine. The machine determines the values that the user does not give. */
export type MachineFlags = { readonly [K in keyof Machines]?: Machines[K] | undefined };
type Machines = FlagsOf<typeof machineFlags & typeof verifyFlag>;

/** Returns the cost of a check without batches, ms: the given cost, or that of the machine. */
export function checkMsOf({ machine, verifyMs }: MachineFlags): number {
  return verifyMs ?? machines[machine ?? defaultMachine].verifyMs;
}

/**
 * Returns the complete costs of a machine. If the user gives the cost of a check, the other costs of the machine scale
 * with it.
 */
export function machineCosts(flags: MachineFlags): VerificationCosts {
  const of = machines[flags.machine ?? defaultMachine];
  const checkMs = checkMsOf(flags);
  const slower = checkMs / of.verifyMs;
  return {
    verifyMs: batchedMs({ verifyMs: checkMs, claimMs: of.claimMs * slower }, flags.batch ?? 1),
    additionNs: flags.additionNs ?? of.additionNs * slower,
    keySums: flags.keySums ?? defaultSlotScenario.keySums,
  };
}

/** Parameters of Horn on which a slot depends, in addition to `--nodes`. */
export const slotParameters = [
  'committees',
  'subcommittees',
  'aggregators',
  'collectors',
  'slotSeconds',
  'rounds',
  'addedSeconds',
  'signatureBytes',
] as const satisfies readonly ParameterName[];

/**
 * Adds the flags of `tutti simulate` that apply only to a slot, and lists the attacks on a slot in the help of
 * `--attack`.
 */
export function addSlotFlags(command: Command): Command {
  const attack = command.options.find(({ long }) => long === '--attack')!;
  attack.description += `; with horn ${hornAttacks.map(({ name }) => name).join(', ')}`;
  command
    .optionsGroup('Horn:')
    .option('--every-message', 'simulate every message individually; at most 32768 validators');
  // A scenario already has a flag `--batch`, so it is not added again.
  const { batch: _, ...own } = machineFlags;
  return withFlags(withFlags(command, own), parameterFlags(slotParameters)).optionsGroup('Run:');
}

/** Flags of `tutti simulate` that apply only to a slot. */
const onlySlotFlags = [
  '--every-message',
  '--machine',
  '--addition-ns',
  '--key-sums',
  ...slotParameters.map((name) => `--${flagNameOf(name)}`),
];

/** Returns the first given flag that applies only to a slot; undefined if there is none. */
export function slotFlagGiven(command: Command): string | undefined {
  return givenFlag(command, (flag) => onlySlotFlags.includes(flag));
}

/** Names of the fields of a scenario that have the same meaning for a slot. */
export const sharedFields = ['nodes', 'threshold', 'network', 'tor', 'dead', 'desync', 'verify-ms', 'degree', 'seed'];

/** Flags of `tutti simulate` that a slot uses. */
export const slotFlags: readonly string[] = [
  ...['--protocol', '--attack', '--batch', '--json', '--quiet'],
  ...sharedFields.map((name) => `--${name}`),
  ...onlySlotFlags,
];

/** Values of the flags of `tutti simulate` for a slot. */
export interface SlotFlags extends Partial<HornParameters>, Omit<MachineFlags, 'verifyMs' | 'batch'> {
  readonly protocol: HornProtocol;
  /** Attacks as texts of the form NAME:SHARE. */
  readonly attack: readonly string[];
  readonly everyMessage?: boolean;
  /** Text of the flag `--batch`, which scenarios also have. */
  readonly batch?: string;
  readonly json?: boolean;
}
