import type { AnyRange } from '@tutti/core/input';
import { type AttackShare, wireAttacks } from '@tutti/simulation';
import { readerOf, scenarioTable } from '@tutti/simulation/fields';
import type { Command } from 'commander';
import { slowFactor } from './cluster/cast.ts';
import { defaultPeriodText } from './cluster/plannedRounds.ts';
import { type ClusterProtocolName, clusterProtocols } from './cluster/protocols.ts';
import { UsageError } from './context.ts';
import {
  badChoiceValue,
  choice,
  type FlagReader,
  type FlagsOf,
  flag,
  flagOf,
  forceFlag,
  integer,
  jsonFlag,
  ranged,
  several,
  withFlags,
  words,
} from './flags.ts';
import {
  type HandelFlags,
  type InsecureRunOptions,
  impairmentFlag,
  withHandelFlags,
  withInsecureRunFlags,
} from './nodeFlags.ts';

const attackNames = wireAttacks.map(({ name }) => name);

/** Returns a reader of `NAME:SHARE` that accepts only attacks that real nodes can carry out. */
const attackShare =
  (flagName: string): FlagReader<AttackShare> =>
  (text) => {
    const [name = ''] = text.split(':', 1);
    const expected = `NAME:SHARE, where NAME is one of ${attackNames.join(', ')}`;
    if (!attackNames.includes(name)) throw badChoiceValue(flagName, attackNames, text, expected, name);
    const { range } = scenarioTable.attacks;
    // The range of the setting describes a list, but its reader reads one item of the list.
    return flagOf(flagName, readerOf<AttackShare>(range as AnyRange))(text);
  };

/** Flags for the shares of dead, slow and Byzantine nodes in a cluster. */
const castFlags = {
  dead: flag('<share>', 'share of dead nodes', ranged(scenarioTable.dead.range), 0),
  slow: flag(
    '<share>',
    `share of slow nodes, whose verifications take ${slowFactor} times as long`,
    ranged(scenarioTable.dead.range),
    0,
  ),
  attack: flag(
    '<name:share>',
    `behaviour and share of Byzantine nodes (real nodes with their own keys); repeatable: ${attackNames.join(', ')}`,
    several(attackShare),
  ),
};

const nodeFlags = { nodes: flag('<n>', 'nodes, 1 to 4096', integer(1, 4096), 64) };

const runFlags = {
  rounds: flag(
    '<n>',
    'number of consecutive rounds on the same sockets; a round ends when all honest nodes have reached the threshold',
    integer(1, 10_000),
    1,
  ),
  latency: flag(
    '<model>',
    "aws: delay each datagram according to the paper's latency matrix; none: add no delay",
    choice(['aws', 'none']),
    'none',
  ),
  impair: flag(
    '<shares>',
    'faults applied to sent packets, such as loss=0.2,duplication=0.1,reordering=0.1',
    () => impairmentFlag,
  ),
  processes: flag('<n>', 'number of processes that host the nodes (default: one per core, at most 4)', integer(1, 64)),
  json: jsonFlag,
  out: flag(
    '<file>',
    'also write the result as a JSON document to this file, and the public keys next to it; for a directory, the file name is cluster.json',
    words,
  ),
  force: forceFlag,
  portsFile: flag(
    '<file>',
    "write the addresses of the nodes' sockets to this file just before the start, for tests that attack the nodes",
    words,
  ),
};

/** Flags of every cluster command, for any signature scheme. */
export type ClusterOptions = HandelFlags &
  InsecureRunOptions &
  FlagsOf<typeof nodeFlags & typeof runFlags & typeof castFlags> & { readonly protocol?: ClusterProtocolName };

/** Adds the flags of every cluster command. */
export function withClusterFlags(command: Command): Command {
  withFlags(command, nodeFlags, { nodes: 'n' });
  withHandelFlags(command, { text: `dissemination period (default: ${defaultPeriodText})` });
  withInsecureRunFlags(command, {
    message:
      'message that the nodes sign; {round} is replaced by the round number, which is appended if {round} is absent',
    seed: 'keys',
    timeout: ' with exit code 1, all rounds together',
    timeoutSeconds: 60,
  });
  return withFlags(command, { ...runFlags, ...castFlags });
}

/** @throws UsageError for an attack that cannot be carried out on the protocol. */
export function requireAttacksOn(protocol: ClusterProtocolName, attacks: readonly AttackShare[]): void {
  const attacked = clusterProtocols[protocol].scenario.protocol;
  const fitting = wireAttacks.filter(({ against }) => against.includes(attacked)).map(({ name }) => name);
  for (const { name } of attacks)
    if (!fitting.includes(name))
      throw new UsageError(
        `--attack: expected one of ${fitting.join(', ')} with --protocol ${protocol}, got '${name}'`,
      );
}
