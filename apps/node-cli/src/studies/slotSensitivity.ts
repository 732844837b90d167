import { type Summary, summaryOf, type VotingSystemName, votingSystemNames } from '@tutti/ethereum';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { choice, type FlagsOf, flag, seedsFlag, seedsFrom, several, withFlags } from '../flags.ts';
import { type NetworkFlags, networkFlags, networkScenario, systemsFlag } from '../horn/networkFlags.ts';
import { meanOverNodes, type NetworkRow, networkRowsBySeed } from '../horn/networkRow.ts';
import { inPercent, networkStudyRows, networkWorld, sufficientShare, votesInReach } from '../horn/networkSummary.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { rowsTable, type TableColumn } from '../output/text.ts';
import { spreadMeaning, spreadText } from '../results/overSeeds.ts';
import { study } from './study.ts';

/** Assumptions of docs/research/horn/network.md that a flag can change, one at a time, as command-line flags. */
const changes = [
  ...['raspberry-pi-4', 'i9-11980HK', 'epyc-native', 'epyc-wasm'].map((name) => `--machine ${name}`),
  '--cores 1',
  '--cores 8',
  '--client lodestar',
  '--client singly',
  '--key-sums subtracting',
  '--links eip-7870-least',
  '--links home',
  '--links gigabit',
  '--reserved 0.5',
  '--no-idontwant',
  '--no-send-timeout',
  '--network cities',
  '--beacon-nodes 5000',
  '--beacon-nodes 20000',
  '--distribution heavy-tailed',
  '--participation 0.8',
];

/** Returns the settings changed by the given flags. */
function changeOf(flags: string): Partial<NetworkFlags> {
  if (flags === '') return {};
  const command = withFlags(new Command(), networkFlags).parse(flags.split(' '), { from: 'user' });
  const given = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) === 'cli');
  return Object.fromEntries(given);
}

/** Result of one system under one changed assumption. */
interface AssumptionCell {
  readonly preset: VotingSystemName;
  /**
   * Share of the cast votes that a proposer has in the last consecutive slot, percent, over all possible proposers and
   * all seeds.
   */
  readonly inReachPercent: Summary;
  /** Whether the 10th percentile of the proposer's share is at least 99 %; null if 99 % lies between p10 and p90. */
  readonly isEnough: boolean | null;
  /** Means over all nodes, by seed: received data in MB, and CPU time in core seconds. */
  readonly receivedMb: Summary;
  readonly coreSeconds: Summary;
}

/** Output of `tutti slots sensitivity --json`. */
interface AssumptionsDocument {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  readonly validators: number;
  readonly beaconNodes: number;
  readonly rows: readonly { readonly flags: string; readonly cells: readonly AssumptionCell[] }[];
}

const flags = {
  preset: systemsFlag('all'),
  change: flag(
    '<flags>',
    `one of ${changes.map((one) => `"${one}"`).join(', ')}; repeatable (default: all)`,
    several(choice(changes)),
  ),
  seeds: seedsFlag(1),
  ...networkFlags,
};

interface Found {
  readonly document: AssumptionsDocument;
  /** Rows for `--out`: one per assumption, system, seed and link class. */
  readonly studied: readonly object[];
}

export const slotSensitivity = study({
  name: 'sensitivity',
  about:
    'Simulate every voting system, changing one assumption at a time, to show which assumptions each verdict depends on.',
  flags,
  find: runOf,
  document: ({ document }) => document,
  rows: ({ studied }) => studied,
  text: ({ document }) => text(document),
});

async function runOf(
  { preset = votingSystemNames, change = changes, seeds: count, ...asked }: FlagsOf<typeof flags>,
  context: Context,
): Promise<Found> {
  const assumptions = ['', ...changes.filter((one) => change.includes(one))];
  const seeds = seedsFrom(asked.seed, count);
  const scenarios = assumptions.flatMap((one) =>
    preset.map((system) => networkScenario(system, { ...asked, ...changeOf(one) })),
  );
  const how = { maxConsecutiveSlots: asked.maxConsecutiveSlots };
  const groups = await networkRowsBySeed(scenarios, seeds, how, asked.jobs, context);
  const studied = groups.flatMap((group, index) => {
    const assumption = assumptions[Math.floor(index / preset.length)]!;
    return group.flatMap(networkStudyRows).map((of) => ({ assumption: assumption || 'none changed', ...of }));
  });
  const document = {
    world: networkWorld(scenarios.slice(0, preset.length), seeds),
    seeds,
    validators: asked.validators,
    beaconNodes: asked.beaconNodes,
    rows: assumptions.map((one, row) => ({
      flags: one,
      cells: preset.map((name, column) => cellOf(name, groups[row * preset.length + column]!)),
    })),
  };
  return { document, studied };
}

function cellOf(preset: VotingSystemName, rows: readonly NetworkRow[]): AssumptionCell {
  const mean = (key: 'receivedBytes' | 'coreSeconds', times = 1) =>
    summaryOf(rows.map(({ result, links }) => times * meanOverNodes(result.loads, links, key)));
  const inReach = votesInReach(rows);
  return {
    preset,
    inReachPercent: inPercent(inReach),
    isEnough: inReach.p10 >= sufficientShare ? true : inReach.p90 < sufficientShare ? false : null,
    receivedMb: mean('receivedBytes', 1e-6),
    coreSeconds: mean('coreSeconds'),
  };
}

function text({ world, rows }: AssumptionsDocument): string {
  const asAssumed = rows[0]!.cells;
  const markOf = (isEnough: boolean | null, assumed: boolean | null) =>
    isEnough === null ? '?' : assumed !== null && isEnough !== assumed ? '!' : '';
  const table = (title: string, digits: number, value: (cell: AssumptionCell) => Summary, flips: boolean): string =>
    `${title}\n\n${rowsTable(rows, [
      ['', (row) => row.flags || 'as assumed'],
      ...asAssumed.map(
        ({ preset, isEnough }, column): TableColumn<AssumptionsDocument['rows'][number]> => [
          preset,
          ({ cells }) => {
            const cell = cells[column]!;
            return `${spreadText(value(cell), digits)}${flips ? markOf(cell.isEnough, isEnough) : ''}`;
          },
        ],
      ),
    ])}`;
  return [
    table("Votes in the next proposer's reach, %", 1, ({ inReachPercent }) => inReachPercent, true),
    table('Received per node and slot, MB', 1, ({ receivedMb }) => receivedMb, false),
    table("Busy time of a node's cores per slot, s", 2, ({ coreSeconds }) => coreSeconds, false),
    `One assumption changed at a time. ${spreadMeaning} Votes are also averaged over all nodes that could propose. "!" means that the interval from p10 to p90 lies on the other side of 99 % from the interval under the default assumptions. "?" means that 99 % lies between p10 and p90.\n${worldLine(world)} The assumption named in a row replaces the corresponding value in these settings.\n`,
  ].join('\n');
}
