import type { IntegerRange, Setting } from '@tutti/core/input';
import {
  deadlines,
  defaultLeanScenario,
  type LeanProfile,
  type LeanRole,
  type LeanScenario,
  type LeanStrategy,
  leanPlacements,
  leanProfileNames,
  leanProfiles,
  leanRoles,
  leanSettings,
  leanStarts,
  leanStrategies,
  leanStrategyNamed,
  leanSubscribers,
  profileCounts,
  readProfile,
  validateLeanScenario,
} from '@tutti/ethereum/lean';
import { type Command, Option } from 'commander';
import { ofFile, readSettings, settingsForm } from '../files/settingsText.ts';
import {
  badValue,
  choice,
  choiceFlag,
  countSetting,
  type Flag,
  type FlagReader,
  type FlagsOf,
  flag,
  flagPaths,
  listFlag,
  ranged,
  seedsFlag,
  setting,
  validatedFlags,
  withFlags,
} from '../flags.ts';
import { networkFlag } from '../horn/networkFlags.ts';
import { readInput } from '../output/inputs.ts';

export function profileOption(): Option {
  return new Option(
    '--profile <name or file>',
    `${leanProfileNames.join(', ')}, or a JSON, YAML or TOML file in the format that 'tutti lean profile' prints`,
  ).default('lean-2026-09');
}

/** Returns a reader for the present or former name of a strategy. */
export function strategyFlag(flag: string): FlagReader<LeanStrategy> {
  const present = choiceFlag(flag, leanStrategies);
  return (text) => leanStrategyNamed(text) ?? present(text);
}

const of = leanSettings;

/** Returns the flag of a setting whose default depends on other settings. */
function dependent(of: Setting<number>, after: string): Flag<number, false> {
  const { least, most } = of.range as IntegerRange;
  return flag('<n>', `${of.about}, ${least} to ${most} (default: ${after})`, ranged(of.range));
}

/** Returns the flag of a setting with named values. */
function named<T extends string>({ default: standing, about }: Setting<T>, names: readonly T[]): Flag<T, true> {
  return flag('<name>', `${about}: ${names.join(', ')}`, choice(names), standing);
}

/** Flags of all commands of `tutti lean` that run a slot. */
const table = {
  subnets: dependent(of.subnets, "the profile's"),
  aggregators: dependent(of.aggregators, 'two per subnet'),
  nodes: dependent(of.nodes, 'the number of aggregators plus 64'),
  cores: flag('<n>', "cores of an aggregator's machine (default: the profile's)", ranged(profileCounts.cores)),
  branching: countSetting(of.branching),
  start: named(of.start, leanStarts),
  subscribers: named(of.subscribers, leanSubscribers),
  network: networkFlag(of.network.default),
  deadlines: flag('<list>', `${of.deadlinesMs.about}, ms`, () => deadlinesFlag, of.deadlinesMs.default),
  slow: setting(of.slowShare),
  role: flag(
    '<name:share>',
    `${of.roles.about}: ${leanRoles.join(', ')}, with a share; repeatable`,
    () => roleFlag,
    {} as LeanScenario['roles'],
    'none',
  ),
  placement: named(of.placement, leanPlacements),
  clocks: setting(of.clocksMs),
  unserved: setting(of.unserved),
  perHost: setting(of.perHost),
  slot: setting(of.slot),
  seed: setting({ ...of.seed, about: 'seed for the places of nodes, the votes and the choice of Byzantine nodes' }),
  seeds: seedsFlag(),
};

export type LeanFlags = FlagsOf<typeof table> & { readonly profile: string };

export function addLeanFlags(command: Command): Command {
  return withFlags(command.addOption(profileOption()), table, { nodes: 'n' });
}

type RoleShares = Partial<Record<LeanRole, number>>;
function roleFlag(given: string, before: RoleShares = {}): RoleShares {
  const [name = '', share = ''] = given.split(':', 2);
  const role = choiceFlag('--role', leanRoles)(name);
  if (!/^(0?\.\d+|[01](\.0*)?|0\.\d*)$/.test(share))
    throw badValue('--role', 'NAME:SHARE, where SHARE is from 0 to 1', given);
  return { ...before, [role]: Number(share) };
}

/** Reads times in ms, without duplicates and in ascending order. */
function deadlinesFlag(text: string): readonly number[] {
  return listFlag(ranged(deadlines)('--deadlines'))(text).toSorted((a, b) => a - b);
}

/**
 * Returns a profile by name or from a file.
 *
 * @throws WorldError in one line, with the file and the field.
 */
export function profileOf(name: string): LeanProfile {
  const known = Object.hasOwn(leanProfiles, name) ? leanProfiles[name] : undefined;
  if (known !== undefined) return known;
  if (!/[./]/.test(name)) choiceFlag('--profile', leanProfileNames)(name);
  const { text } = readInput(name, maxSettingsBytes);
  return ofFile(name, () => readProfile(readSettings(settingsForm(name, text), text)));
}

/** Maximum size of a profile's file, bytes. Profiles are written by hand. */
const maxSettingsBytes = 100_000;

export function leanScenario(flags: LeanFlags, command: Command, isIdeal = false): LeanScenario {
  const named = profileOf(flags.profile);
  const profile = flags.cores === undefined ? named : { ...named, cores: flags.cores };
  const subnets = flags.subnets ?? profile.subnets;
  const aggregators = flags.aggregators ?? subnets * (isIdeal ? 1 : 2);
  const scenario: LeanScenario = {
    ...defaultLeanScenario,
    profile,
    subnets,
    aggregators,
    nodes: flags.nodes ?? aggregators + 64,
    branching: flags.branching,
    start: flags.start,
    subscribers: flags.subscribers,
    network: flags.network,
    deadlinesMs: flags.deadlines,
    slowShare: flags.slow,
    roles: flags.role,
    placement: flags.placement,
    clocksMs: flags.clocks,
    unserved: flags.unserved,
    perHost: flags.perHost,
    slot: flags.slot,
    seed: flags.seed,
  };
  validatedFlags(flagPaths(command), () => validateLeanScenario(scenario));
  return scenario;
}
