import { type HornParameters, hornSizes } from '@tutti/core/horn';
import { exactly, type HornTable, row } from './row.ts';

export function sizesTable(parameters: HornParameters): HornTable {
  const { committee, subcommittee, allSubcommittees } = hornSizes(parameters);
  return {
    title: 'Sizes',
    section: 'Introduction to the current aggregation scheme; Collectors',
    source: 'horn/parameters.ts',
    rows: [
      row('validators', '', parameters.validators, exactly('2^20', 2 ** 20)),
      row('committees', '', parameters.committees, exactly('32', 32)),
      row('validators of a committee', '', committee, exactly('2^15', 2 ** 15)),
      row('subcommittees of a committee', '', parameters.subcommittees, exactly('64', 64)),
      row('subcommittees in all', '', allSubcommittees, exactly('2048', 2048)),
      row('validators of a subcommittee', '', subcommittee, exactly('512', 512)),
      row('aggregators of a subcommittee, expected', '', parameters.aggregators, exactly('16', 16)),
      row('aggregates a slot', '', allSubcommittees * parameters.aggregators, exactly('32,768', 32_768)),
      row(
        `collections a slot, ${parameters.collectors} collectors a committee`,
        '',
        parameters.committees * parameters.collectors,
        exactly('512', 512),
        'The reading that we keep.',
      ),
      row(
        `collections a slot, ${parameters.collectors} collectors a subcommittee`,
        '',
        allSubcommittees * parameters.collectors,
        exactly('512', 512),
        'The post first assigns 16 collectors to each subcommittee and then counts 16 a committee; only the second gives its 512.',
      ),
    ],
    grids: [],
  };
}
