import type { AnyRange } from '@tutti/core/input';
import { type AttackShare, wireAttacks } from '@tutti/simulation';
import { readerOf, scenarioTable } from '@tutti/simulation/fields';
import { slowFactor } from './cluster/cast.ts';
import { type ClusterProtocolName, clusterProtocols } from './cluster/protocols.ts';
import { badChoiceValue, type FlagReader, type FlagsOf, flag, flagOf, ranged, several } from './flags.ts';
import { UsageError } from './usageError.ts';

const names = wireAttacks.map(({ name }) => name);

/** Returns a reader of `NAME:SHARE` that accepts only attacks that real nodes can carry out. */
const attackShare =
  (flagName: string): FlagReader<AttackShare> =>
  (text) => {
    const [name = ''] = text.split(':', 1);
    if (!names.includes(name))
      throw badChoiceValue(flagName, names, text, `NAME:SHARE, where NAME is one of ${names.join(', ')}`, name);
    const { range } = scenarioTable.attacks;
    // The reader of a list's range reads one item of the list.
    return flagOf(flagName, readerOf<AttackShare>(range as AnyRange))(text);
  };

/** Flags for the shares of a cluster's nodes that are dead, slow or Byzantine. */
export const castFlags = {
  dead: flag('<share>', 'share of dead nodes', ranged(scenarioTable.dead.range), 0),
  slow: flag(
    '<share>',
    `share of slow nodes, whose verifications take ${slowFactor} times as long`,
    ranged(scenarioTable.dead.range),
    0,
  ),
  attack: flag(
    '<name:share>',
    `behaviour and share of Byzantine nodes (real nodes with their own keys); repeatable: ${names.join(', ')}`,
    several(attackShare),
  ),
};

/** Values of {@link castFlags}. */
export type CastOptions = FlagsOf<typeof castFlags>;

/** @throws UsageError for an attack that does not support the protocol. */
export function requireAttacksOn(protocol: ClusterProtocolName, attacks: readonly AttackShare[]): void {
  const attacked = clusterProtocols[protocol].scenario.protocol;
  const fitting = wireAttacks.filter(({ against }) => against.includes(attacked)).map(({ name }) => name);
  for (const { name } of attacks)
    if (!fitting.includes(name))
      throw new UsageError(
        `--attack: expected one of ${fitting.join(', ')} with --protocol ${protocol}, got '${name}'`,
      );
}
