import {
  type BitfieldCoding,
  defaultHornParameters,
  type HornParameters,
  hornSizes,
  validateHornParameters,
} from '@tutti/core/horn';
import { expected, requireInteger } from '@tutti/core/internal';
import { alternativesTable } from './alternatives.ts';
import { bandwidthTable } from './bandwidth.ts';
import { blockTable } from './block.ts';
import { electionTable } from './election.ts';
import { globalTopicTable } from './globalTopic.ts';
import { griefingTable } from './griefing.ts';
import type { HornRow, HornTable } from './row.ts';
import { sizesTable } from './sizes.ts';
import { slotTable } from './slot.ts';
import { verificationTable } from './verification.ts';

/** What makes each table, in the order of the post. */
const tables: Readonly<Record<string, (parameters: HornParameters, codings: readonly BitfieldCoding[]) => HornTable>> =
  {
    sizes: sizesTable,
    'global-topic': globalTopicTable,
    slot: slotTable,
    verification: verificationTable,
    bandwidth: bandwidthTable,
    blocks: blockTable,
    griefing: griefingTable,
    alternatives: alternativesTable,
    election: electionTable,
  };

/** Bitfields of larger committees take too long to draw and code; and a single key is no sum. */
const largestCommittee = 2 ** 17;

/** The names of the tables of Horn's quantities. */
export const hornTableNames: readonly string[] = Object.keys(tables);

/**
 * One of the post's tables, made anew from its inputs.
 *
 * @param codings of bitfields, to be compared; the first is the one that the post speaks of, Snappy, which core does
 *   not have.
 * @param parameters the post's by default. With others the post's figures stand beside for comparison, and whether they
 *   follow is left open.
 * @throws RangeError when there is no table of that name, or a parameter is wrong.
 */
export function hornTable(
  name: string,
  codings: readonly BitfieldCoding[],
  parameters: HornParameters = defaultHornParameters,
): HornTable {
  if (!Object.hasOwn(tables, name)) throw new RangeError(expected('table', hornTableNames.join(' or '), name));
  validateHornParameters(parameters);
  requireInteger('validators of a committee', hornSizes(parameters).committee, 2, largestCommittee);
  const table = tables[name]!(parameters, codings);
  return isThePosts(parameters) ? table : { ...table, rows: table.rows.map(withoutVerdict) };
}

function isThePosts(parameters: HornParameters): boolean {
  const names = Object.keys(defaultHornParameters) as (keyof HornParameters)[];
  return names.every((name) => parameters[name] === defaultHornParameters[name]);
}

/** The post's figure is for its own inputs: with others nothing can be said of whether it follows. */
function withoutVerdict(row: HornRow): HornRow {
  return { ...row, follows: undefined, why: undefined };
}
