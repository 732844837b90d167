import { type VotingSystemName, validateNetworkScenario, votingSystemNames } from '@tutti/ethereum';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { choice, type FlagsOf, flag, several, withFlags } from '../flags.ts';
import { type NetworkFlags, networkFlags, networkScenario } from '../horn/networkFlags.ts';
import { networkRows } from '../horn/networkRows.ts';
import { networkStudyRows } from '../horn/networkStudy.ts';
import { validated } from '../horn/parameterFlags.ts';
import { counted, grouped } from '../numbers.ts';
import { rowsTable, type TableColumn } from '../output/tables.ts';
import { study } from './study.ts';

/** Assumptions of docs/research/horn/network.md that a flag changes, one at a time, in the form of the command line. */
const changes = [
  '--seed 2',
  '--seed 3',
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

/** Returns the settings that these flags change. */
function changeOf(flags: string): Partial<NetworkFlags> {
  if (flags === '') return {};
  const command = withFlags(new Command(), networkFlags).parse(flags.split(' '), { from: 'user' });
  const given = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) === 'cli');
  return Object.fromEntries(given);
}

/** Share of the votes cast that must be in the next proposer's reach for a slot to be long enough. */
const enough = 0.99;

/** Result of one system under one changed assumption. */
export interface AssumptionCell {
  readonly preset: VotingSystemName;
  /** Percentage of the votes cast in the next proposer's reach, in the last consecutive slot. */
  readonly inReachPercent: number;
  readonly isEnough: boolean;
  /** Mean over all nodes: MB received, and seconds of cores. */
  readonly receivedMb: number;
  readonly coreSeconds: number;
}

/** Output of `tutti slots sensitivity --json`. */
export interface AssumptionsDocument {
  readonly validators: number;
  readonly beaconNodes: number;
  readonly rows: readonly { readonly flags: string; readonly cells: readonly AssumptionCell[] }[];
}

const flags = {
  preset: flag(
    '<name>',
    `one of ${votingSystemNames.join(', ')}; repeatable (default: all)`,
    several(choice(votingSystemNames)),
  ),
  change: flag(
    '<flags>',
    `one of ${changes.map((one) => `"${one}"`).join(', ')}; repeatable (default: all)`,
    several(choice(changes)),
  ),
  ...networkFlags,
};

interface Found {
  readonly document: AssumptionsDocument;
  readonly studied: readonly object[];
}

export const slotSensitivity = study({
  name: 'sensitivity',
  about:
    'Run every voting system with one assumption changed at a time: what each verdict depends on, and what it does not.',
  flags,
  find: runOf,
  document: ({ document }) => document,
  rows: ({ studied }) => studied,
  text: ({ document }) => text(document),
});

async function runOf(
  { preset = votingSystemNames, change = changes, ...asked }: FlagsOf<typeof flags>,
  context: Context,
): Promise<Found> {
  const which = ['', ...changes.filter((one) => change.includes(one))];
  const tasks = which.flatMap((one) =>
    preset.map((system) => ({
      scenario: networkScenario(system, { ...asked, ...changeOf(one) }),
      inRow: asked.inRow,
      chain: { slots: 1, missed: 0, omitting: 0 },
    })),
  );
  for (const { scenario } of tasks) validated(() => validateNetworkScenario(scenario));
  const rows = await networkRows(tasks, Math.min(asked.jobs, tasks.length), context);
  const studied = rows.flatMap((row, index) => {
    const assumption = which[Math.floor(index / preset.length)]!;
    return networkStudyRows(row).map((of) => ({ assumption: assumption || 'none changed', ...of }));
  });
  const document = {
    validators: asked.validators,
    beaconNodes: asked.beaconNodes,
    rows: which.map((one, row) => ({
      flags: one,
      cells: preset.map((name, column): AssumptionCell => {
        const { result, inRow, links } = rows[row * preset.length + column]!;
        const mean = (key: 'receivedBytes' | 'coreSeconds'): number =>
          result.loads.reduce((sum, load, index) => sum + load[key] * links[index]!.share, 0);
        return {
          preset: name,
          inReachPercent: 100 * inRow.at(-1)!.mean,
          isEnough: inRow.at(-1)!.mean >= enough,
          receivedMb: mean('receivedBytes') / 1e6,
          coreSeconds: mean('coreSeconds'),
        };
      }),
    })),
  };
  return { document, studied };
}

function text({ validators, beaconNodes, rows }: AssumptionsDocument): string {
  const asAssumed = rows[0]!.cells;
  const table = (title: string, digits: number, value: (cell: AssumptionCell) => number, flips: boolean): string =>
    `${title}\n\n${rowsTable(rows, [
      ['', (row) => row.flags || 'as assumed'],
      ...asAssumed.map(
        ({ preset, isEnough }, column): TableColumn<AssumptionsDocument['rows'][number]> => [
          preset,
          ({ cells }) => {
            const cell = cells[column]!;
            return `${grouped(value(cell), digits)}${flips && cell.isEnough !== isEnough ? '!' : ''}`;
          },
        ],
      ),
    ])}`;
  return [
    table('Votes in the next proposer’s reach, %', 1, ({ inReachPercent }) => inReachPercent, true),
    table('A node receives in a slot, MB', 1, ({ receivedMb }) => receivedMb, false),
    table('A node’s cores are busy in a slot, s', 2, ({ coreSeconds }) => coreSeconds, false),
    `${counted(validators, 'validator')} on ${counted(beaconNodes, 'node')} unless changed; one assumption changed at a time. ! On the other side of 99 % than as assumed.\n`,
  ].join('\n');
}
