import {
  checkLeanScenario,
  defaultLeanScenario,
  type LeanPlacement,
  type LeanProfile,
  type LeanRole,
  type LeanScenario,
  type LeanStart,
  leanPlacements,
  leanProfileNames,
  leanProfiles,
  leanRoles,
  leanStarts,
  readPlainYaml,
  readProfile,
} from '@tutti/simulation/lean';
import { WorldError } from '@tutti/transports/errors';
import { type Command, Option } from 'commander';
import { seedOption } from '../commonFlags.ts';
import { badValue, checkedFlags, choiceFlag, flagPaths, integerFlag, numberFlag } from '../flags.ts';
import { networkOption } from '../horn/networkFlags.ts';
import { readWhole } from '../output/files.ts';

/** What all commands of `tutti lean` that play a slot take. */
export interface LeanFlags {
  readonly profile: string;
  readonly subnets?: number;
  readonly aggregators?: number;
  readonly nodes?: number;
  readonly cores?: number;
  readonly branching: number;
  readonly start: LeanStart;
  readonly network: string;
  readonly deadlines: readonly number[];
  readonly slow: number;
  readonly role: Partial<Record<LeanRole, number>>;
  readonly placement: LeanPlacement;
  readonly clocks: number;
  readonly unserved: number;
  readonly perHost: number;
  readonly slot: number;
  readonly seed: number;
}

export function profileOption(): Option {
  return new Option(
    '--profile <name or file>',
    `${leanProfileNames.join(', ')}, or a file of JSON or YAML as 'tutti lean profile' prints it`,
  ).default('lean-2026-09');
}

const { branching, network, slot, deadlinesMs } = defaultLeanScenario;

export function addLeanFlags(command: Command): Command {
  return command
    .addOption(profileOption())
    .option('--subnets <n>', "1 to 256; default: the profile's", integerFlag('--subnets', 1, 256))
    .option('--aggregators <n>', 'in all; default: two a subnet', integerFlag('--aggregators', 1, 4096))
    .option(
      '-n, --nodes <n>',
      'on the global topic; default: 64 beside the aggregators',
      integerFlag('--nodes', 2, 8192),
    )
    .option('--cores <n>', "of a machine that aggregates; default: the profile's", integerFlag('--cores', 1, 1024))
    .option(
      '--branching <n>',
      'parts that a half of a level has, 2 to 16',
      integerFlag('--branching', 2, 16),
      branching,
    )
    .addOption(
      new Option('--start <when>', `when clients with windows or without prove and publish: ${leanStarts.join(', ')}`)
        .argParser(choiceFlag('--start', leanStarts))
        .default('always'),
    )
    .addOption(networkOption(network))
    .option('--deadlines <list>', 'when the proved votes are counted, ms', deadlinesFlag, deadlinesMs)
    .option(
      '--slow <share>',
      'of the aggregators: those whose provers take three times as long',
      numberFlag('--slow', 'a share from 0 to 1', (share) => share <= 1),
      0,
    )
    .option(
      '--role <name:share>',
      `aggregators that are not honest: ${leanRoles.join(', ')}, and which share of all; repeatable`,
      roleFlag,
      {},
    )
    .addOption(
      new Option('--placement <where>', `where these are: ${leanPlacements.join(', ')}`)
        .argParser(choiceFlag('--placement', leanPlacements))
        .default('drawn'),
    )
    .option('--clocks <ms>', "how wrong aggregators' clocks are at most", integerFlag('--clocks', 0, 10_000), 0)
    .option('--unserved <n>', 'subnets without an aggregator', integerFlag('--unserved', 0, 255), 0)
    .option('--per-host <n>', 'aggregators on one machine, with one prover', integerFlag('--per-host', 1, 4096), 1)
    .option('--slot <n>', 'turns windows and owners', integerFlag('--slot', 0, 2 ** 31 - 1), slot)
    .addOption(seedOption('draws places, votes and who is not honest'));
}

type Roles = Partial<Record<LeanRole, number>>;
function roleFlag(given: string, before: Roles): Roles {
  const [name = '', share = ''] = given.split(':', 2);
  const role = choiceFlag('--role', leanRoles)(name);
  if (!/^(0?\.\d+|[01](\.0*)?|0\.\d*)$/.test(share))
    throw badValue('--role', 'NAME:SHARE with a share from 0 to 1', given);
  return { ...before, [role]: Number(share) };
}

const deadlineFlag = numberFlag('--deadlines', 'ms, numbers over 0, up to 600000', (ms) => ms > 0 && ms <= 600_000);
function deadlinesFlag(text: string): readonly number[] {
  return [...new Set(text.split(',').map((one) => deadlineFlag(one.trim())))].sort((a, b) => a - b);
}

/** A profile by name, or of a file. @throws WorldError in one line, naming the file and the field. */
export function profileOf(name: string): LeanProfile {
  const known = Object.hasOwn(leanProfiles, name) ? leanProfiles[name] : undefined;
  if (known !== undefined) return known;
  if (!/[./]/.test(name)) choiceFlag('--profile', leanProfileNames)(name);
  return fromFile(name, (text) => readProfile(/^\s*\{/.test(text) ? JSON.parse(text) : readPlainYaml(text)));
}

/** @throws WorldError `malformed-file` with the file's name. */
export function fromFile<T>(file: string, read: (text: string) => T): T {
  const text = readWhole(file);
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)) throw error;
    throw new WorldError('malformed-file', `${file}: ${error.message.replaceAll(/\s+/g, ' ')}`);
  }
}

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
  checkedFlags(flagPaths(command), () => checkLeanScenario(scenario));
  return scenario;
}
