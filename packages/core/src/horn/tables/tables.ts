import { expected } from '../../errors.ts';
import type { BitfieldCoding } from '../bitfields/coding.ts';
import { alternativesTable } from './alternatives.ts';
import { bandwidthTable } from './bandwidth.ts';
import { blockTable } from './block.ts';
import { electionTable } from './election.ts';
import { forkChoiceTable } from './forkChoice.ts';
import { globalTopicTable } from './globalTopic.ts';
import { griefingTable } from './griefing.ts';
import type { HornTable } from './row.ts';
import { sizesTable } from './sizes.ts';
import { slotTable } from './slot.ts';
import { verificationTable } from './verification.ts';

/** What makes each table, in the order of the post. */
const tables: Readonly<Record<string, (codings: readonly BitfieldCoding[]) => HornTable>> = {
  sizes: sizesTable,
  'global-topic': globalTopicTable,
  slot: slotTable,
  verification: verificationTable,
  bandwidth: bandwidthTable,
  blocks: blockTable,
  griefing: griefingTable,
  alternatives: alternativesTable,
  election: electionTable,
  'fork-choice': forkChoiceTable,
};

/** The names of the tables of Horn's quantities. */
export const hornTableNames: readonly string[] = Object.keys(tables);

/**
 * One of the post's tables, made anew from its inputs.
 *
 * @param codings of bitfields, to be compared; the first is the one that the post speaks of, Snappy, which core does not have.
 * @throws RangeError when there is no table of that name.
 */
export function hornTable(name: string, codings: readonly BitfieldCoding[]): HornTable {
  if (!Object.hasOwn(tables, name)) throw new RangeError(expected('table', hornTableNames.join(' or '), name));
  return tables[name]!(codings);
}
