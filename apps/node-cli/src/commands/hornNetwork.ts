import {
  checkNetworkScenario,
  type NetworkScenario,
  type VotingSystemName,
  votingSystemNames,
} from '@tutti/simulation/slots';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { badValue, choiceFlag, integerFlag, numberFlag } from '../flags.ts';
import { addNetworkFlags, type NetworkFlags, networkScenario } from '../horn/networkFlags.ts';
import type { NetworkRow } from '../horn/networkRow.ts';
import { networkStudyRows } from '../horn/networkStudy.ts';
import { checked } from '../horn/parameterFlags.ts';
import { playNetwork } from '../horn/playNetwork.ts';
import { counted, grouped } from '../numbers.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

/** What is played of each system. */
export interface PlayFlags extends NetworkFlags {
  readonly slots: number;
  readonly missed: number;
  readonly griefing?: number;
  readonly singly?: boolean;
  readonly ignoreCovered?: boolean;
}

interface Flags extends PlayFlags {
  readonly preset?: VotingSystemName;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What `tutti horn network --json` prints. */
export interface HornNetworkDocument {
  readonly rows: readonly NetworkRow[];
}

export function hornNetworkCommand(context: Context): Command {
  const share = (flag: string) => numberFlag(flag, 'a number from 0 to 1', (value) => value <= 1);
  const command = new Command('network')
    .description(
      'Play a slot of each voting system on nodes with links and cores, as Ethereum has, and the blocks after it.',
    )
    .option(
      '--preset <name>',
      `one of ${votingSystemNames.join(', ')}; default: all`,
      choiceFlag('--preset', votingSystemNames),
    );
  return addNetworkFlags(command)
    .option('--slots <n>', 'blocks to play', integerFlag('--slots', 1, 4096), 32)
    .option('--missed <share>', 'share of the slots without a block', share('--missed'), 0)
    .option(
      '--griefing <share>',
      'share of the proposers who leave out every vote (default: what Eve has of the validators, where she griefs)',
      share('--griefing'),
    )
    .option('--singly', 'play every message: up to 4096 validators on 512 nodes')
    .option(
      '--ignore-covered',
      'with --singly: clients ignore an aggregate if one that they have seen contains all its votes',
    )
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async (flags: Flags, self: Command) => {
      requireOut(flags);
      const rows = await playPresets(flags.preset === undefined ? votingSystemNames : [flags.preset], flags, context);
      writeStudy(flags.out, () => rows.flatMap(networkStudyRows), self, flags.seed);
      context.out(flags.json ? `${JSON.stringify({ rows } satisfies HornNetworkDocument)}\n` : networkText(rows));
    });
}

/** A row for each of these systems. */
export function playPresets(
  presets: readonly VotingSystemName[],
  { slots, missed, griefing, singly = false, ignoreCovered = false, ...flags }: PlayFlags,
  context: Context,
): Promise<NetworkRow[]> {
  const { eve, eveAttack } = flags;
  const griefers = griefing ?? (eveAttack === 'griefing' ? eve : 0);
  const tooMany = singly && (flags.validators > 4096 || flags.beaconNodes > 512);
  if (tooMany)
    throw badValue(
      '--singly',
      'up to 4096 --validators and 512 --beacon-nodes',
      `${flags.validators}, ${flags.beaconNodes}`,
    );
  if (ignoreCovered && !singly) throw badValue('--ignore-covered', '--singly beside it', 'none');
  const tasks = presets.map((preset) => ({
    scenario: ignoring(networkScenario(preset, flags), ignoreCovered),
    singly,
    inRow: flags.inRow,
    chain: { slots, missed, griefing: griefers },
  }));
  for (const { scenario } of tasks) checked(() => checkNetworkScenario(scenario));
  return playNetwork(tasks, Math.min(flags.jobs, tasks.length), context);
}

function ignoring(scenario: NetworkScenario, ignoresCovered: boolean): NetworkScenario {
  return { ...scenario, client: { ...scenario.client, ignoresCovered } };
}

const percent = (share: number, digits = 1): string => grouped(100 * share, digits);

const eveColumns = [
  'honest votes',
  "Eve's validators",
  'not published, %',
  'not in reach, %',
  "Eve's not in reach, %",
  'ever in a block, %',
  'forgone by her proposers, %',
];

function eveText({ attacks }: NetworkRow): string {
  const shares = attacks.map(({ name, share }) => `${percent(share)} % ${name}`);
  return `Of the validators Eve has ${shares.join(', ')}; votes above are those of the honest:`;
}

export function networkText(rows: readonly NetworkRow[]): string {
  return [slotTable(rows), loadTable(rows), besideTable(rows), ...eveTable(rows), settingText(rows[0]!)].join('\n');
}

/** What each system comes to. */
function slotTable(rows: readonly NetworkRow[]): string {
  const slotRows = rows.map(({ preset, slotMs, result, inRow, chain }) => [
    preset,
    grouped(result.cast),
    grouped(slotMs),
    grouped(result.globalMessages),
    percent(result.published / result.cast),
    percent(result.inReach.mean),
    inRow.length === 1 ? 'same' : percent(inRow.at(-1)!.mean),
    percent(result.inReach.least),
    result.reach.meanMs === undefined ? '-' : grouped(result.reach.meanMs),
    percent(chain.inNextBlock),
    percent(chain.rewardLost),
    chain.finalSeconds === undefined ? 'never' : grouped(chain.finalSeconds),
  ]);
  return columnTable(
    [
      '',
      'votes',
      'slot, ms',
      'on the global topic',
      'published, %',
      'in reach, %',
      'later slots, %',
      'worst proposer, %',
      '99 % at, ms',
      'in the next block, %',
      'reward lost, %',
      'final, s',
    ],
    slotRows,
  );
}

/** What it costs a node, by class of link. */
function loadTable(rows: readonly NetworkRow[]): string {
  const loadRows = rows.flatMap(({ preset, result, slotMs }) =>
    result.links.map((link, index) => {
      const { receivedBytes, sentBytes, controlBytes, copies, duplicates, coreSeconds } = result.loads[index]!;
      return [
        `${preset}: ${link}`,
        grouped(receivedBytes / 1e6, 2),
        grouped(sentBytes / 1e6, 2),
        grouped(controlBytes / 1e6, 2),
        percent(copies === 0 ? 0 : duplicates / copies),
        grouped(receivedBytes / slotMs),
        grouped(coreSeconds, 2),
        percent(rows.find((row) => row.preset === preset)!.chain.rewardLostByLink[index]!),
      ];
    }),
  );
  return columnTable(
    [
      'a node, a slot',
      'MB in',
      'MB out',
      'of it control',
      'duplicates, %',
      'kB/s in',
      'core seconds',
      'reward lost, %',
    ],
    loadRows,
  );
}

/** Its bytes in the terms of the post. */
function besideTable(rows: readonly NetworkRow[]): string {
  const besideRows = rows.map(({ preset, result: { globalBytes }, beside }) => [
    preset,
    grouped(globalBytes),
    percent(beside.ofBlobs),
    percent(beside.ofCalldata),
    percent(beside.ofNoSubnets, 0),
    beside.ofAllSubnets.map((one) => percent(one, 0)).join(' to '),
  ]);
  return columnTable(
    [
      'beside what the post names',
      'on the global topic, B',
      'of a block’s blobs, %',
      'of its calldata, %',
      'in, of 390 kB/s, %',
      'in, of 6 to 7 MB/s, %',
    ],
    besideRows,
  );
}

/** What Eve takes and what she keeps; nothing where she has no validators. */
function eveTable(rows: readonly NetworkRow[]): string[] {
  const eveRows = rows.flatMap(({ preset, result, chain }) => {
    const { eve, cast } = result;
    if (eve === undefined) return [];
    return [
      [
        preset,
        grouped(eve.voters),
        percent(1 - result.published / cast),
        percent(1 - result.inReach.mean),
        percent(Math.max(0, 1 - eve.inReach / Math.max(1, eve.voters))),
        percent(chain.included),
        percent(chain.proposerForgone),
      ],
    ];
  });
  return eveRows.length === 0 ? [] : [`${eveText(rows[0]!)}\n`, columnTable(eveColumns, eveRows)];
}

/** Of nodes that verify otherwise. */
function others(clients: NetworkRow['clients']): string {
  return clients.map(({ name, share }) => ` (${percent(share, 0)} % ${name})`).join('');
}

/** What they were played on. */
function settingText({
  validators,
  beaconNodes,
  distribution,
  network,
  links,
  machine,
  cores,
  batch,
  clients,
  keySums,
  participation,
  seed,
}: NetworkRow): string {
  const classes = links.map(
    ({ name, share, downMbps, upMbps }) => `${percent(share, 0)} % ${name} ${downMbps}/${upMbps}`,
  );
  return `${counted(validators, 'validator')} on ${counted(beaconNodes, 'node')} (${distribution}), ${network}; links in Mbps down/up: ${classes.join(', ')}; ${cores} cores of ${machine}, batches of ${batch}${others(clients)}, ${keySums} sums of keys; ${percent(participation, 0)} % vote; seed ${seed}.\n`;
}
