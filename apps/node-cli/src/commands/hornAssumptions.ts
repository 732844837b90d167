import { checkNetworkScenario, linkPresets, type VotingSystemName, votingSystemNames } from '@tutti/simulation/slots';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { choiceFlag } from '../flags.ts';
import { addNetworkFlags, clientFlag, type NetworkFlags, networkScenario } from '../horn/networkFlags.ts';
import { networkStudyRows } from '../horn/networkStudy.ts';
import { checked } from '../horn/parameterFlags.ts';
import { playNetwork } from '../horn/playNetwork.ts';
import { counted, grouped } from '../numbers.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

/** One assumption and what it is changed to. */
interface Change {
  /** As on the command line of `horn network`; empty for none. */
  readonly flags: string;
  readonly is: Partial<NetworkFlags>;
}

/** Each assumption of docs/horn-network.md that a flag changes, one at a time. */
const changes: readonly Change[] = [
  { flags: '', is: {} },
  { flags: '--seed 2', is: { seed: 2 } },
  { flags: '--seed 3', is: { seed: 3 } },
  { flags: '--machine raspberry-pi-4', is: { machine: 'raspberry-pi-4' } },
  { flags: '--machine i9-11980HK', is: { machine: 'i9-11980HK' } },
  { flags: '--machine epyc-native', is: { machine: 'epyc-native' } },
  { flags: '--machine epyc-wasm', is: { machine: 'epyc-wasm' } },
  { flags: '--cores 1', is: { cores: 1 } },
  { flags: '--cores 8', is: { cores: 8 } },
  { flags: '--client lodestar', is: { client: clientFlag('lodestar') } },
  { flags: '--client singly', is: { client: clientFlag('singly') } },
  { flags: '--key-sums subtracting', is: { keySums: 'subtracting' } },
  { flags: '--links eip-7870-least', is: { links: linkPresets['eip-7870-least'] } },
  { flags: '--links home', is: { links: linkPresets.home } },
  { flags: '--links gigabit', is: { links: linkPresets.gigabit } },
  { flags: '--reserved 0.5', is: { reserved: 0.5 } },
  { flags: '--no-idontwant', is: { idontwant: false } },
  { flags: '--no-send-timeout', is: { sendTimeout: false } },
  { flags: '--network cities', is: { network: 'cities' } },
  { flags: '--beacon-nodes 5000', is: { beaconNodes: 5000 } },
  { flags: '--beacon-nodes 20000', is: { beaconNodes: 20_000 } },
  { flags: '--distribution heavy-tailed', is: { distribution: 'heavy-tailed' } },
  { flags: '--participation 0.8', is: { participation: 0.8 } },
];

/** Of the votes cast, in the next proposer's reach: a system does with its slot. */
const enough = 0.99;

interface Flags extends NetworkFlags {
  readonly preset: readonly VotingSystemName[];
  readonly change?: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** One system under one changed assumption. */
export interface AssumptionCell {
  readonly preset: VotingSystemName;
  /** Of the votes cast, percent, in the next proposer's reach: in the last slot of those played in a row. */
  readonly inReachPercent: number;
  readonly isEnough: boolean;
  /** Of a node, the mean over all: MB received, seconds of cores. */
  readonly receivedMb: number;
  readonly coreSeconds: number;
}

/** What `tutti horn assumptions --json` prints. */
export interface AssumptionsDocument {
  readonly validators: number;
  readonly beaconNodes: number;
  readonly rows: readonly { readonly flags: string; readonly cells: readonly AssumptionCell[] }[];
}

export function hornAssumptionsCommand(context: Context): Command {
  const command = new Command('assumptions')
    .description(
      'Play every voting system with one assumption changed at a time: what each verdict depends on, and what it does not.',
    )
    .option(
      '--preset <name>',
      `one of ${votingSystemNames.join(', ')}; repeatable (default: all)`,
      (text: string, before: readonly VotingSystemName[] | undefined) => [
        ...(before ?? []),
        choiceFlag('--preset', votingSystemNames)(text),
      ],
    )
    .option(
      '--change <flags>',
      `one of ${changes
        .slice(1)
        .map(({ flags }) => `"${flags}"`)
        .join(', ')}; repeatable (default: all)`,
      (text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        choiceFlag(
          '--change',
          changes.slice(1).map(({ flags }) => flags),
        )(text),
      ],
    );
  return addNetworkFlags(command)
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async (flags: Flags, self: Command) => {
      requireOut(flags);
      const { document, studied } = await play(flags, context);
      writeStudy(flags.out, () => studied, self, flags.seed);
      context.out(flags.json ? `${JSON.stringify(document)}\n` : text(document));
    });
}

async function play(
  { preset = votingSystemNames, change, json: _, ...flags }: Flags,
  context: Context,
): Promise<{ readonly document: AssumptionsDocument; readonly studied: readonly object[] }> {
  const which = changes.filter((one) => one.flags === '' || change === undefined || change.includes(one.flags));
  const tasks = which.flatMap(({ is }) =>
    preset.map((one) => ({
      scenario: networkScenario(one, { ...flags, ...is }),
      inRow: flags.inRow,
      chain: { slots: 1, missed: 0, griefing: 0 },
    })),
  );
  for (const { scenario } of tasks) checked(() => checkNetworkScenario(scenario));
  const played = await playNetwork(tasks, Math.min(flags.jobs, tasks.length), context);
  const studied = played.flatMap((row, index) => {
    const { flags: assumption } = which[Math.floor(index / preset.length)]!;
    return networkStudyRows(row).map((of) => ({ assumption: assumption || 'none changed', ...of }));
  });
  const document = {
    validators: flags.validators,
    beaconNodes: flags.beaconNodes,
    rows: which.map((one, row) => ({
      flags: one.flags,
      cells: preset.map((name, column): AssumptionCell => {
        const { result, inRow, links } = played[row * preset.length + column]!;
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
  const [asAssumed] = rows as [AssumptionsDocument['rows'][number]];
  const presets = asAssumed.cells.map(({ preset }) => preset);
  const table = (title: string, digits: number, value: (cell: AssumptionCell) => number, flips: boolean): string =>
    `${title}\n\n${columnTable(
      ['', ...presets],
      rows.map(({ flags, cells }) => [
        flags === '' ? 'as assumed' : flags,
        ...cells.map((cell, column) => {
          const isFlipped = flips && cell.isEnough !== asAssumed.cells[column]!.isEnough;
          return `${grouped(value(cell), digits)}${isFlipped ? '!' : ''}`;
        }),
      ]),
    )}`;
  return [
    table('Votes in the next proposer’s reach, %', 1, ({ inReachPercent }) => inReachPercent, true),
    table('A node receives in a slot, MB', 1, ({ receivedMb }) => receivedMb, false),
    table('A node’s cores are busy in a slot, s', 2, ({ coreSeconds }) => coreSeconds, false),
    `${counted(validators, 'validator')} on ${counted(beaconNodes, 'node')} unless changed; one assumption changed at a time. ! On the other side of 99 % than as assumed.\n`,
  ].join('\n');
}
