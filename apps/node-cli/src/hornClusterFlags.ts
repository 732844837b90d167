import { defaultHornParameters, type HornParameters } from '@tutti/core/horn';
import { registryTransports } from '@tutti/core/registry';
import { hornSettings, partOf } from '@tutti/core/settings';
import type { AttackShare } from '@tutti/simulation';
import { readerOf, scenarioTable } from '@tutti/simulation/fields';
import type { Command } from 'commander';
import type { HornCast } from './cluster/hornMessages.ts';
import {
  badChoiceValue,
  choice,
  type Flag,
  type FlagReader,
  type FlagsOf,
  flag,
  flagOf,
  integer,
  ranged,
  several,
} from './flags.ts';
import { givenParameters, parameterFlags } from './horn/parameterFlags.ts';
import { UsageError } from './usageError.ts';

/** What `--protocol` takes. */
export const clusterProtocolNames = ['handel', 'horn'] as const;

/** What a liar of a cluster of Horn can do. */
const hornLies = ['invalid'] as const;

const attackShare =
  (name: string): FlagReader<AttackShare> =>
  (text) => {
    const [lie = ''] = text.split(':', 1);
    if (!hornLies.some((one) => one === lie))
      throw badChoiceValue(name, hornLies, text, `NAME:SHARE with one of ${hornLies.join(', ')}`, lie);
    return flagOf(name, readerOf(scenarioTable.attacks.range))(text) as unknown as AttackShare;
  };

/** Flags that choose the protocol and who keeps it. */
export const castFlags = {
  protocol: flag(
    '<name>',
    `what the nodes run: ${clusterProtocolNames.join(', ')}`,
    choice(clusterProtocolNames),
    'handel',
  ),
  dead: flag('<share>', 'horn: share of the nodes that are dead', ranged(scenarioTable.dead.range), 0),
  attack: flag(
    '<name:share>',
    `horn: make a share of the nodes liars, with keys of their own; repeatable: ${hornLies.join(', ')}`,
    several(attackShare),
  ),
};

/** Parameters of a slot that the command sets, and their defaults in words. */
const parameterDefaults = {
  validators: '1024',
  committees: '2',
  subcommittees: 'twice as many as committees',
  aggregators: '16',
  collectors: '16',
  slotSeconds: 'as this machine needs, 12 or more',
  addedSeconds: 'a third of that',
  blockCollections: 'two of each committee',
} as const satisfies Partial<Record<keyof HornParameters, string>>;
type ParameterName = keyof typeof parameterDefaults;
const parameterNames = Object.keys(parameterDefaults) as ParameterName[];

function parametersInWords(): Readonly<Record<ParameterName, Flag<number, false>>> {
  const flags = parameterFlags(parameterNames);
  for (const name of parameterNames) {
    const about = `horn: ${hornSettings[name].about} (default: ${parameterDefaults[name]})`;
    Object.assign(flags, { [name]: { ...flags[name], about } });
  }
  return flags;
}

/** Flags of `--protocol horn`. */
export const hornClusterFlags = {
  ...parametersInWords(),
  degree: flag(
    '<n>',
    'horn: neighbours of a node on a topic, and members that a node outside sends to',
    integer(1, 64),
    8,
  ),
  transport: flag(
    '<name>',
    `horn: what carries packets: ${registryTransports.join(' or ')}`,
    choice(registryTransports),
    'udp',
  ),
};

export type HornClusterFlags = FlagsOf<typeof castFlags & typeof hornClusterFlags>;

/** Flags of `tutti cluster` that all protocols have. */
const sharedFlags: readonly string[] = [
  'protocol',
  ...['nodes', 'seed', 'message', 'timeout', 'processes', 'emulate', 'impair', 'json', 'out', 'force'],
];
const castOnly = Object.keys(castFlags).filter((name) => !sharedFlags.includes(name));

/** @throws UsageError for a flag that was given and has no meaning with the protocol. */
export function requireFlagsOf(protocol: (typeof clusterProtocolNames)[number], command: Command): void {
  for (const option of command.options) {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) !== 'cli' || sharedFlags.includes(key)) continue;
    const isHorns = Object.hasOwn(hornClusterFlags, key) || castOnly.includes(key);
    if (isHorns !== (protocol === 'horn')) throw new UsageError(`${option.long}: not with --protocol ${protocol}`);
  }
}

/** Whether flags say how long the slot is. */
export function isSlotGiven({ slotSeconds, addedSeconds }: Partial<HornParameters>): boolean {
  return slotSeconds !== undefined || addedSeconds !== undefined;
}

/**
 * The parameters of a cluster's slot. In proportion to the post, a committee has twice as many subcommittees as there are
 * committees, and a block two collections of each.
 *
 * @throws UsageError for sizes that do not divide, or that are no powers of two.
 */
export function hornClusterParameters(flags: Partial<HornParameters>): HornParameters {
  const { validators = 1024, committees = 2, subcommittees = 2 * committees } = flags;
  const { aggregators, collectors } = defaultHornParameters;
  const committee = Math.max(1, Math.floor(validators / committees));
  // Other flags of the command have names of parameters too.
  const given = Object.fromEntries(parameterNames.map((name) => [name, flags[name]]));
  const parameters = givenParameters(given, {
    ...defaultHornParameters,
    validators,
    committees,
    subcommittees,
    aggregators: Math.max(1, Math.min(aggregators, Math.floor(committee / subcommittees))),
    collectors: Math.min(collectors, committee),
    blockCollections: 2 * committees,
    ...(flags.slotSeconds !== undefined && { addedSeconds: flags.slotSeconds / defaultHornParameters.rounds }),
  });
  const subcommittee = parameters.validators / parameters.committees / parameters.subcommittees;
  const isPower = (value: number): boolean => Number.isInteger(Math.log2(value));
  if (!isPower(parameters.subcommittees))
    throw new UsageError(`--subcommittees: expected a power of two, got ${parameters.subcommittees}`);
  if (!isPower(subcommittee))
    throw new UsageError(
      `--validators: expected a power of two in each subcommittee, got ${subcommittee}; choose --validators as that many times --committees times --subcommittees`,
    );
  return parameters;
}

/** @throws UsageError where no honest node is left, or a node has no validator. */
export function hornCast(nodes: number, validators: number, { dead, attack = [] }: HornClusterFlags): HornCast {
  if (nodes > validators)
    throw new UsageError(`--nodes: expected at most ${validators}, one per validator, got ${nodes}`);
  const liars = attack.reduce((sum, { share }) => sum + partOf(nodes, share), 0);
  const end = nodes - partOf(nodes, dead);
  if (end - liars < 1) throw new UsageError(`--dead, --attack: expected at least 1 honest node of ${nodes}, got none`);
  return { honest: end - liars, end };
}
