import type { HornParameters, HornSystem } from '@tutti/core/horn';
import { hornAttacks } from '@tutti/ethereum/settings';
import type { Command, Option } from 'commander';
import { withFlags } from '../flags.ts';
import type { HornProtocol } from '../scenarioFlags.ts';
import { type MachineFlags, machineFlags } from './machineFlags.ts';
import { parameterFlag, parameterFlags } from './parameterFlags.ts';

/** Voting system of each protocol name. */
export const systems: Readonly<Record<HornProtocol, HornSystem>> = {
  horn: 'horn',
  'horn-status-quo': 'status-quo',
  'horn-strawman': 'strawman',
};

/** Parameters of Horn that a slot depends on, in addition to `--nodes`. */
export const slotParameters = [
  'committees',
  'subcommittees',
  'aggregators',
  'collectors',
  'slotSeconds',
  'rounds',
  'addedSeconds',
  'signatureBytes',
] as const satisfies readonly (keyof HornParameters)[];

/** Adds the flags of `tutti simulate` that only a slot has, and the attacks on a slot to the help of `--attack`. */
export function addSlotFlags(command: Command): Command {
  const attack = command.options.find(({ long }) => long === '--attack')!;
  attack.description += `; with horn ${hornAttacks.map(({ name }) => name).join(', ')}`;
  command
    .optionsGroup('Horn:')
    .option('--every-message', 'simulate every message individually; at most 32768 validators');
  // A scenario has a flag `--batch` too.
  const { batch: _, ...own } = machineFlags;
  return withFlags(withFlags(command, own), parameterFlags(slotParameters)).optionsGroup('Run:');
}

/** Returns the first given flag that only applies to a slot, if any. */
export function slotFlagGiven(command: Command): string | undefined {
  const own = ['--every-message', '--machine', '--addition-ns', '--key-sums', ...slotParameters.map(parameterFlag)];
  const isGiven = (option: Option): boolean => command.getOptionValueSource(option.attributeName()) === 'cli';
  return command.options.find((option) => own.includes(option.long ?? '') && isGiven(option))?.long;
}

/** Flags of `tutti simulate` that a slot uses. */
export const slotFlags: readonly string[] = [
  '--protocol',
  '--nodes',
  '--threshold',
  '--network',
  '--tor',
  '--dead',
  '--attack',
  '--desync',
  '--verify-ms',
  '--degree',
  '--seed',
  '--every-message',
  '--json',
  '--quiet',
  '--machine',
  '--batch',
  '--addition-ns',
  '--key-sums',
  ...slotParameters.map(parameterFlag),
];

export interface SlotFlags extends Partial<HornParameters>, Omit<MachineFlags, 'verifyMs' | 'batch'> {
  readonly protocol: HornProtocol;
  /** Attacks as NAME:SHARE texts. */
  readonly attack: readonly string[];
  readonly everyMessage?: boolean;
  /** Text of the flag `--batch`, which a scenario has too. */
  readonly batch?: string;
  readonly json?: boolean;
}
