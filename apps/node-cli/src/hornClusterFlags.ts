import { registryTransports } from '@tutti/core';
import { defaultHornParameters, type HornParameters, hornSettings, hornSizes } from '@tutti/core/horn';
import type { Command } from 'commander';
import { type CastShares, type ClusterCast, castOf } from './cluster/cast.ts';
import { UsageError } from './context.ts';
import { choice, type Flag, type FlagsOf, flag, integer } from './flags.ts';
import { givenParameters, parameterFlags } from './horn/slotFlags.ts';

/**
 * Attacks of Byzantine nodes in a Horn cluster: messages with invalid signatures, and those attacks of the simulator
 * that need neither another clock nor the order in which honest votes are left out; see `byzantineRoles`.
 */
const hornClusterAttacks: readonly string[] = ['invalid', 'silent', 'worthless'];

/** Parameters of a slot for which the command has flags, each with a description of its default. */
const parameterDefaults = {
  validators: '1024',
  committees: '2',
  subcommittees: 'twice the number of committees',
  aggregators: '16, at most the size of a subcommittee',
  collectors: '16, at most the size of a committee',
  slotSeconds:
    'three rounds of 4 to 20 s each, according to the speed of this machine; 12 with --added-seconds; not part of --timeout',
  addedSeconds: 'a third of the slot length',
  blockCollections: 'two per committee',
} as const satisfies Partial<Record<keyof HornParameters, string>>;
type ParameterName = keyof typeof parameterDefaults;
const parameterNames = Object.keys(parameterDefaults) as ParameterName[];

/** Returns the flags of the parameters. Their descriptions state the defaults. */
function parameterFlagsWithDefaults(): Readonly<Record<ParameterName, Flag<number, false>>> {
  const flags = parameterFlags(parameterNames);
  const entries = parameterNames.map((name) => {
    const about = `horn: ${hornSettings[name].about} (default: ${parameterDefaults[name]})`;
    return [name, { ...flags[name], about }];
  });
  return Object.fromEntries(entries);
}

/** Flags of `tutti cluster` that the command accepts only with `--protocol horn`. */
export const hornClusterFlags = {
  ...parameterFlagsWithDefaults(),
  degree: flag(
    '<n>',
    'horn: number of neighbours that a node has on a topic, and number of members to which a non-member sends',
    integer(1, 64),
    8,
  ),
  transport: flag(
    '<name>',
    `horn: packet transport: ${registryTransports.join(' or ')}`,
    choice(registryTransports),
    'udp',
  ),
};

/** Values of {@link hornClusterFlags}. */
export type HornClusterFlags = FlagsOf<typeof hornClusterFlags>;

/** Flags that the command accepts with every protocol. */
const sharedFlags: readonly string[] =
  'protocol nodes seed message rounds timeout processes latency impair dead attack json out force quiet'.split(' ');
const hornOnly: readonly string[] = Object.keys(hornClusterFlags);

/**
 * Checks the flags that the user gave.
 *
 * @throws UsageError for a flag that the protocol does not support.
 */
export function requireFlagsOf(protocol: string, command: Command): void {
  for (const option of command.options) {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) !== 'cli' || sharedFlags.includes(key)) continue;
    if (hornOnly.includes(key) !== (protocol === 'horn'))
      throw new UsageError(`${option.long}: cannot be combined with --protocol ${protocol}`);
  }
}

/**
 * Returns the parameters for the slot of a cluster. The defaults have the same proportions as the Horn post: a
 * committee has twice as many subcommittees as there are committees, and a block has two collections per committee.
 *
 * @throws UsageError for sizes that do not divide evenly or are not powers of two.
 */
export function hornClusterParameters(flags: Partial<HornParameters>): HornParameters {
  const { validators = 1024, committees = 2, subcommittees = 2 * committees } = flags;
  const { aggregators, collectors } = defaultHornParameters;
  const committee = Math.max(1, Math.floor(validators / committees));
  // The parameters of the slot are selected by name, because other flags of the command have the names of parameters
  // too.
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
  const { subcommittee } = hornSizes(parameters);
  const isPower = (value: number): boolean => Number.isInteger(Math.log2(value));
  if (!isPower(parameters.subcommittees))
    throw new UsageError(`--subcommittees: expected a power of two, got ${parameters.subcommittees}`);
  if (!isPower(subcommittee))
    throw new UsageError(
      `--validators: expected a power of two in each subcommittee, got ${subcommittee}; set --validators to a power of two times --committees times --subcommittees`,
    );
  return parameters;
}

/**
 * Returns the roles of the nodes in a Horn cluster.
 *
 * @throws UsageError if no honest node remains, if a node has no validator, or if Horn nodes cannot carry out a given
 * attack.
 */
export function hornCast(nodes: number, validators: number, { dead, attack }: Omit<CastShares, 'slow'>): ClusterCast {
  for (const { name } of attack ?? [])
    if (!hornClusterAttacks.includes(name))
      throw new UsageError(`--attack: expected ${hornClusterAttacks.join(', ')} with --protocol horn, got '${name}'`);
  if (nodes > validators)
    throw new UsageError(`--nodes: expected at most ${validators}, one per validator, got ${nodes}`);
  return castOf(nodes, { dead, slow: 0, ...(attack && { attack }) });
}
