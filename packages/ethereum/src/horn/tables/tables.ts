import {
  type BitfieldCoding,
  defaultHornParameters,
  type HornParameters,
  hornSizes,
  slotTimes,
  validateHornParameters,
} from '@tutti/core/horn';
import { expected, requireArray, requireInteger } from '@tutti/core/input';
import { alternativesTable, electionTable, griefingTable } from './aggregators.ts';
import { bandwidthTable, blockTable, globalTopicTable, verificationTable } from './load.ts';
import { atLeast, exactly, type HornRow, type HornTable, row } from './row.ts';

/** Functions that compute the tables, in the order of the post. */
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

/** Maximum size of a committee. Bitfields of larger committees take too long to draw and code. */
const largestCommittee = 2 ** 17;

/** Names of the tables of Horn's quantities. */
export const hornTableNames: readonly string[] = Object.keys(tables);

/**
 * Computes one of the post's tables from its inputs.
 *
 * @param codings codings of bitfields to compare. The first is the post's coding, Snappy, which core does not contain.
 * @param parameters the post's by default. With other parameters, the post's numbers are shown for comparison, without
 * a verdict on whether they follow.
 * @throws RangeError if no table has this name, a parameter is invalid, or there is no coding; TypeError for codings that
 * are not a list.
 */
export function hornTable(
  name: string,
  codings: readonly BitfieldCoding[],
  parameters: HornParameters = defaultHornParameters,
): HornTable {
  if (!Object.hasOwn(tables, name)) throw new RangeError(expected('table', hornTableNames.join(' or '), name));
  requireArray('codings', codings);
  if (codings.length === 0) throw new RangeError(expected('codings', 'at least one coding', codings.length));
  validateHornParameters(parameters);
  // A single key needs no sum.
  requireInteger('validators of a committee', hornSizes(parameters).committee, 2, largestCommittee);
  const table = tables[name]!(parameters, codings);
  return isThePosts(parameters) ? table : { ...table, rows: table.rows.map(withoutVerdict) };
}

function isThePosts(parameters: HornParameters): boolean {
  const names = Object.keys(defaultHornParameters) as (keyof HornParameters)[];
  return names.every((name) => parameters[name] === defaultHornParameters[name]);
}

/** Removes the verdict and the remark, which apply to the post's inputs. */
function withoutVerdict(row: HornRow): HornRow {
  return { ...row, follows: undefined, why: undefined };
}

function sizesTable(parameters: HornParameters): HornTable {
  const { committee, subcommittee, allSubcommittees } = hornSizes(parameters);
  return {
    title: 'Sizes',
    section: 'Introduction to the current aggregation scheme; Collectors',
    rows: [
      row('validators', '', parameters.validators, exactly('2^20', 2 ** 20)),
      row('committees', '', parameters.committees, exactly('32', 32)),
      row('validators of a committee', '', committee, exactly('2^15', 2 ** 15)),
      row('subcommittees of a committee', '', parameters.subcommittees, exactly('64', 64)),
      row('subcommittees in all', '', allSubcommittees, exactly('2048', 2048)),
      row('validators of a subcommittee', '', subcommittee, exactly('512', 512)),
      row('aggregators of a subcommittee, expected', '', parameters.aggregators, exactly('16', 16)),
      row('aggregates per slot', '', allSubcommittees * parameters.aggregators, exactly('32,768', 32_768)),
      row(
        `collections per slot, ${parameters.collectors} collectors per committee`,
        '',
        parameters.committees * parameters.collectors,
        exactly('512', 512),
        'This program uses this interpretation.',
      ),
      row(
        `collections per slot, ${parameters.collectors} collectors per subcommittee`,
        '',
        allSubcommittees * parameters.collectors,
        exactly('512', 512),
        "The post first assigns 16 collectors to each subcommittee and later 16 to each committee. Only 16 per committee give the post's 512.",
      ),
    ],
    grids: [],
  };
}

function slotTable(parameters: HornParameters): HornTable {
  const { roundSeconds, minSeconds, hornSeconds } = slotTimes(parameters);
  const { committee } = hornSizes(parameters);
  return {
    title: 'The slot',
    section: 'Slot time increase',
    rows: [
      row('round of communication today', 's', roundSeconds, exactly('4 seconds', 4)),
      row('slot with one more round', 's', minSeconds, atLeast('at least 4 seconds more', parameters.slotSeconds + 4)),
      row('proposed slot', 's', hornSeconds, exactly('10 seconds more', 22)),
      row('proposed slot length relative to today', 'times', hornSeconds / parameters.slotSeconds),
      row('two slots as proposed, to finality', 's', 2 * hornSeconds),
      row('status quo: votes per second', '', committee / parameters.slotSeconds),
      row('Horn: votes per second', '', parameters.validators / hornSeconds),
    ],
    grids: [],
  };
}
