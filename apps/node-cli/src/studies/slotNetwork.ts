import {
  chainSettings,
  type NetworkScenario,
  type VotingSystemName,
  validateNetworkScenario,
  votingSystemNames,
} from '@tutti/ethereum';
import type { Context } from '../context.ts';
import { badValue, choice, type FlagsOf, flag, ranged, setting, toggle } from '../flags.ts';
import { type NetworkFlags, networkFlags, networkScenario } from '../horn/networkFlags.ts';
import type { NetworkRow } from '../horn/networkRow.ts';
import { networkRows } from '../horn/networkRows.ts';
import { networkStudyRows } from '../horn/networkStudy.ts';
import { validated } from '../horn/parameterFlags.ts';
import { seedsText } from '../lean/leanWorldText.ts';
import { counted, grouped } from '../numbers.ts';
import { rowsTable } from '../output/tables.ts';
import { study } from './study.ts';

/** Settings of each system's runs. */
const studyFlags = {
  ...networkFlags,
  slots: setting(chainSettings.slots),
  missed: setting(chainSettings.missed),
  griefing: flag(
    '<share>',
    `${chainSettings.omitting.about} (default: what Eve has of the validators, where she griefs)`,
    ranged(chainSettings.omitting.range),
  ),
  singly: toggle('run every message: up to 4096 validators on 512 nodes'),
  ignoreCovered: toggle('with --singly: clients ignore an aggregate if one that they have seen contains all its votes'),
};
export type StudyFlags = NetworkFlags & Omit<FlagsOf<typeof studyFlags>, keyof NetworkFlags>;

/** Output of `tutti slots network --json`. */
export interface HornNetworkDocument {
  readonly rows: readonly NetworkRow[];
}

export const slotNetwork = study({
  name: 'network',
  about: 'Run a slot of each voting system on nodes with links and cores, as Ethereum has, and the blocks after it.',
  flags: {
    preset: flag('<name>', `one of ${votingSystemNames.join(', ')} (default: all)`, choice(votingSystemNames)),
    ...studyFlags,
  },
  async find({ preset, ...flags }, context): Promise<HornNetworkDocument> {
    return { rows: await presetRows(preset === undefined ? votingSystemNames : [preset], flags, context) };
  },
  rows: ({ rows }) => rows.flatMap(networkStudyRows),
  text: ({ rows }) => networkText(rows),
});

/** Returns one row for each of these systems. */
export function presetRows(
  presets: readonly VotingSystemName[],
  { slots, missed, griefing, singly = false, ignoreCovered = false, ...flags }: StudyFlags,
  context: Context,
): Promise<NetworkRow[]> {
  const { eve, eveAttack } = flags;
  const omitting = griefing ?? (eveAttack === 'griefing' ? eve : 0);
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
    chain: { slots, missed, omitting },
  }));
  for (const { scenario } of tasks) validated(() => validateNetworkScenario(scenario));
  return networkRows(tasks, Math.min(flags.jobs, tasks.length), context);
}

function ignoring(scenario: NetworkScenario, ignoresCovered: boolean): NetworkScenario {
  return { ...scenario, client: { ...scenario.client, ignoresCovered } };
}

const percent = (share: number, digits = 1): string => grouped(100 * share, digits);

function eveText({ attacks }: NetworkRow): string {
  const shares = attacks.map(({ name, share }) => `${percent(share)} % ${name}`);
  return `Of the validators Eve has ${shares.join(', ')}; votes above are those of the honest:`;
}

export function networkText(rows: readonly NetworkRow[]): string {
  return [
    slotTable(rows),
    delayTable(rows),
    loadTable(rows),
    besideTable(rows),
    ...eveTable(rows),
    `${worldText(rows[0]!)}\n`,
  ].join('\n');
}

/** Returns the table of results. */
function slotTable(rows: readonly NetworkRow[]): string {
  return rowsTable(rows, [
    ['', ({ preset }) => preset],
    ['votes', ({ result }) => result.cast],
    ['slot, ms', ({ slotMs }) => slotMs],
    ['on the global topic', ({ result }) => result.globalMessages],
    ['published, %', ({ result }) => 100 * (result.published / result.cast), 1],
    ['in reach, %', ({ result }) => 100 * result.inReach.mean, 1],
    ['later slots, %', ({ inRow }) => (inRow.length === 1 ? 'same' : 100 * inRow.at(-1)!.mean), 1],
    ['worst proposer, %', ({ result }) => 100 * result.inReach.least, 1],
    ['99 % at, ms', ({ result }) => result.reach.meanMs],
    ['in the next block, %', ({ chain }) => 100 * chain.inNextBlock, 1],
    ['reward lost, %', ({ chain }) => 100 * chain.rewardLost, 1],
    ['final, s', ({ chain }) => chain.finalSeconds ?? 'never'],
  ]);
}

/** When a layer's messages are verified, after they were sent. */
function delayTable(rows: readonly NetworkRow[]): string {
  const delays = rows.flatMap(({ preset, result }) =>
    Object.entries(result.delays).map(([layer, delay]) => ({ name: `${preset}: ${layer}`, ...delay })),
  );
  return rowsTable(delays, [
    ['until a node has verified a message', ({ name }) => name],
    ['mean, ms', ({ meanMs }) => meanMs],
    ['p50', ({ p50Ms }) => p50Ms],
    ['p95', ({ p95Ms }) => p95Ms],
    ['p99', ({ p99Ms }) => p99Ms],
    ['when it is due, %', ({ inTime }) => 100 * inTime, 1],
  ]);
}

/** What it costs a node, by class of link. */
function loadTable(rows: readonly NetworkRow[]): string {
  const loads = rows.flatMap(({ preset, result, slotMs, chain }) =>
    result.links.map((link, index) => ({
      ...{ name: `${preset}: ${link}`, slotMs, lost: chain.rewardLostByLink[index]! },
      ...result.loads[index]!,
    })),
  );
  return rowsTable(loads, [
    ['a node, a slot', ({ name }) => name],
    ['MB in', ({ receivedBytes }) => receivedBytes / 1e6, 2],
    ['MB out', ({ sentBytes }) => sentBytes / 1e6, 2],
    ['of it control', ({ controlBytes }) => controlBytes / 1e6, 2],
    ['duplicates, %', ({ copies, duplicates }) => 100 * (copies === 0 ? 0 : duplicates / copies), 1],
    ['kB/s in', ({ receivedBytes, slotMs }) => receivedBytes / slotMs],
    ['core seconds', ({ coreSeconds }) => coreSeconds, 2],
    ['reward lost, %', ({ lost }) => 100 * lost, 1],
  ]);
}

/** Returns the table of bytes in the post's terms. */
function besideTable(rows: readonly NetworkRow[]): string {
  return rowsTable(rows, [
    ['beside what the post names', ({ preset }) => preset],
    ['on the global topic, B', ({ result }) => result.globalBytes],
    ['of a block’s blobs, %', ({ beside }) => 100 * beside.ofBlobs, 1],
    ['of its calldata, %', ({ beside }) => 100 * beside.ofCalldata, 1],
    ['in, of 390 kB/s, %', ({ beside }) => 100 * beside.ofNoSubnets],
    ['in, of 6 to 7 MB/s, %', ({ beside }) => beside.ofAllSubnets.map((one) => percent(one, 0)).join(' to ')],
  ]);
}

/** Returns the table of votes that Eve removes and keeps; empty if she has no validators. */
function eveTable(rows: readonly NetworkRow[]): string[] {
  const ofHonest = rows.flatMap(({ result: { eve, ...result }, ...row }) =>
    eve === undefined ? [] : [{ ...row, result, eve }],
  );
  if (ofHonest.length === 0) return [];
  const table = rowsTable(ofHonest, [
    ['honest votes', ({ preset }) => preset],
    ["Eve's validators", ({ eve }) => eve.voters],
    ['not published, %', ({ result }) => 100 * (1 - result.published / result.cast), 1],
    ['not in reach, %', ({ result }) => 100 * (1 - result.inReach.mean), 1],
    ["Eve's not in reach, %", ({ eve }) => 100 * Math.max(0, 1 - eve.inReach / Math.max(1, eve.voters)), 1],
    ['ever in a block, %', ({ chain }) => 100 * chain.included, 1],
    ['forgone by her proposers, %', ({ chain }) => 100 * chain.proposerForgone, 1],
  ]);
  return [`${eveText(rows[0]!)}\n`, table];
}

/** Describes the nodes that verify differently. */
function others(clients: NetworkRow['clients']): string {
  return clients.map(({ name, share }) => ` (${percent(share, 0)} % ${name})`).join('');
}

/** Describes the setting of the rows. @param seeds over which a table summarises. Default: the row's seed. */
export function worldText(
  {
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
  }: NetworkRow,
  seeds: readonly number[] = [seed],
): string {
  const classes = links.map(
    ({ name, share, downMbps, upMbps }) => `${percent(share, 0)} % ${name} ${downMbps}/${upMbps}`,
  );
  return `${counted(validators, 'validator')} on ${counted(beaconNodes, 'node')} (${distribution}), ${network}; links in Mbps down/up: ${classes.join(', ')}; ${cores} cores of ${machine}, batches of ${batch}${others(clients)}, ${keySums} sums of keys; ${percent(participation, 0)} % vote; ${seedsText(seeds)}.`;
}
