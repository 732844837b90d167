import type { IntegerRange, Setting } from '@tutti/core/input';
import {
  deadlines,
  defaultLeanScenario,
  defaultProposers,
  type LeanChainOptions,
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
  choice,
  choiceFlag,
  countSetting,
  type Flag,
  type FlagReader,
  type FlagsOf,
  flag,
  flagPaths,
  listFlag,
  numberFlag,
  ranged,
  seedsFlag,
  setting,
  validatedFlags,
  withFlags,
} from '../flags.ts';
import { networkFlag } from '../horn/networkFlags.ts';
import { readInput } from '../output/files.ts';
import type { StatedWorld } from '../output/statedWorld.ts';
import { counted, grouped } from '../output/text.ts';

/** Returns the option `--profile`. */
export function profileOption(): Option {
  return new Option(
    '--profile <name or file>',
    `${leanProfileNames.join(', ')}, or a JSON, YAML or TOML file in the format that 'tutti lean profile' prints`,
  ).default('lean-2026-09');
}

/** Returns a reader for the current or a former name of a strategy. */
export function strategyFlag(flag: string): FlagReader<LeanStrategy> {
  const present = choiceFlag(flag, leanStrategies);
  return (text) => leanStrategyNamed(text) ?? present(text);
}

/** Returns the flag for a setting whose default depends on other settings. */
function dependent(of: Setting<number>, after: string): Flag<number, false> {
  const { min, max } = of.range as IntegerRange;
  return flag('<n>', `${of.about}, ${min} to ${max} (default: ${after})`, ranged(of.range));
}

/** Returns the flag for a setting with named values. */
function named<T extends string>({ default: standing, about }: Setting<T>, names: readonly T[]): Flag<T, true> {
  return flag('<name>', `${about}: ${names.join(', ')}`, choice(names), standing);
}

/** Flags of all `tutti lean` commands that run a slot. */
const table = {
  subnets: dependent(leanSettings.subnets, "the profile's"),
  aggregators: dependent(leanSettings.aggregators, 'two per subnet'),
  nodes: dependent(leanSettings.nodes, 'the number of aggregators plus 64'),
  cores: flag('<n>', "cores of an aggregator's machine (default: the profile's)", ranged(profileCounts.cores)),
  branching: countSetting(leanSettings.branching),
  start: named(leanSettings.start, leanStarts),
  subscribers: named(leanSettings.subscribers, leanSubscribers),
  network: networkFlag(leanSettings.network.default),
  deadlines: flag(
    '<list>',
    `${leanSettings.deadlinesMs.about}, ms`,
    () => deadlinesFlag,
    leanSettings.deadlinesMs.default,
  ),
  slow: setting(leanSettings.slowShare),
  role: flag(
    '<name:share>',
    `${leanSettings.roles.about}: ${leanRoles.join(', ')}, with a share; repeatable`,
    () => roleFlag,
    {} as LeanScenario['roles'],
    'none',
  ),
  placement: named(leanSettings.placement, leanPlacements),
  clocks: setting(leanSettings.clocksMs),
  unserved: setting(leanSettings.unserved),
  perHost: setting(leanSettings.perHost),
  slot: setting(leanSettings.slot),
  seed: setting({
    ...leanSettings.seed,
    about: 'seed for the places of nodes, the votes and the choice of Byzantine nodes',
  }),
  seeds: seedsFlag(),
};

/** Values of the flags that {@link addLeanFlags} adds. */
export type LeanFlags = FlagsOf<typeof table> & { readonly profile: string };

/** Adds the flags of a slot to a command of `tutti lean`. */
export function addLeanFlags(command: Command): Command {
  return withFlags(command.addOption(profileOption()), table, { nodes: 'n' });
}

type RoleShares = Partial<Record<LeanRole, number>>;

/** Reads NAME:SHARE, and adds it to the shares from earlier flags. */
function roleFlag(given: string, before: RoleShares = {}): RoleShares {
  const [, name = '', share = ''] = /^([^:]*):?(.*)$/s.exec(given)!;
  const role = choiceFlag('--role', leanRoles)(name);
  const read = numberFlag('--role', 'NAME:SHARE, where SHARE is from 0 to 1', (value) => value <= 1);
  return { ...before, [role]: read(share) };
}

/** Reads times, ms; returns them in ascending order without duplicates. */
function deadlinesFlag(text: string): readonly number[] {
  return listFlag(ranged(deadlines)('--deadlines'))(text).toSorted((a, b) => a - b);
}

/**
 * Returns the profile with a given name or from a file.
 *
 * @throws UsageError for an unknown name; for a file, EnvironmentError on one line that names the file and the field.
 */
export function profileOf(name: string): LeanProfile {
  const known = Object.hasOwn(leanProfiles, name) ? leanProfiles[name] : undefined;
  if (known !== undefined) return known;
  if (!/[./]/.test(name)) choiceFlag('--profile', leanProfileNames)(name);
  const { text } = readInput(name, maxSettingsBytes);
  return ofFile(name, () => readProfile(readSettings(settingsForm(name, text), text)));
}

/** Maximum size of a profile file, bytes. The limit is low because users write profiles by hand. */
const maxSettingsBytes = 100_000;

/**
 * Returns the scenario that the flags describe.
 *
 * @param isIdeal true for a command without delays, whose default is one aggregator per subnet instead of two.
 * @throws UsageError for values that do not fit together; as {@link profileOf} does.
 */
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
    nodes: flags.nodes ?? aggregators + defaultProposers,
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
  validatedFlags([...flagPaths(command), { name: 'role', path: 'roles' }], () => validateLeanScenario(scenario));
  return scenario;
}

/** Fields that can be columns in the table of a command. */
type Varied = 'strategy' | 'subnets' | 'aggregators' | 'nodes' | 'deadlinesMs' | 'branching' | 'cores';

/**
 * Describes the settings that apply to a table.
 *
 * @param seeds seeds that the table summarises.
 * @param varied fields that each row of the table states.
 */
export function leanWorld(
  scenario: LeanScenario,
  seeds: readonly number[],
  { isIdeal = false, varied = [] }: { readonly isIdeal?: boolean; readonly varied?: readonly Varied[] } = {},
): StatedWorld {
  const { profile, start, network, nodes, aggregators, subnets, aggregatorMbps, downMbps, upMbps, slot } = scenario;
  const { slowShare, clocksMs, unserved, perHost } = scenario;
  const unless = (name: Varied, text: string) => (varied.includes(name) ? 'by row' : text);
  const timed = (text: string) => (isIdeal ? 'not simulated' : text);
  const roles = Object.entries(scenario.roles).map(([role, share]) => `${grouped(100 * share)} % ${role}`);
  return {
    profile: `${profile.name} (${counted(profile.validators, 'validator')})`,
    nodes: timed(unless('nodes', `${grouped(nodes)}, of which ${nodes - aggregators} could propose`)),
    cores: timed(unless('cores', `${profile.cores} per prover`)),
    start: timed(start),
    network: timed(network),
    links: timed(`aggregators ${aggregatorMbps} Mbps, other nodes ${downMbps}/${upMbps} Mbps down/up`),
    seeds,
    also: [
      !varied.includes('subnets') && counted(subnets, 'subnet'),
      !varied.includes('aggregators') && counted(aggregators, 'aggregator'),
      isIdeal ? 'no delays, no time limits' : `${profile.verifier.proofMs} ms to verify a proof`,
      slowShare > 0 && `${grouped(100 * slowShare)} % of the aggregators slower by a factor of ${scenario.slowTimes}`,
      clocksMs > 0 && `clocks off by up to ${clocksMs} ms`,
      unserved > 0 && `${counted(unserved, 'subnet')} without an aggregator`,
      perHost > 1 && `${perHost} aggregators per machine`,
      roles.length > 0 && `${roles.join(', ')} (${scenario.placement})`,
      `slot ${slot}`,
    ].filter((text) => text !== false),
  };
}

/** Describes the settings that apply to the table of a chain; the rows state all other settings. */
export function leanChainWorld({ profile, bringMs }: LeanChainOptions, seeds: readonly number[]): StatedWorld {
  return {
    profile: profile.name,
    nodes: 'by story',
    cores: 'by story, given as the duration of a proof',
    start: 'by story, given as the time at which an aggregator has the votes',
    network: `not simulated: a message reaches all nodes after ${bringMs} ms`,
    links: 'not simulated',
    seeds,
  };
}
