import { chainSettings, type VotingSystemName, votingSystemNames } from '@tutti/ethereum';
import { type Context, UsageError } from '../context.ts';
import { badValue, choice, type FlagsOf, flag, ranged, seedsFlag, seedsFrom, setting, toggle } from '../flags.ts';
import { type NetworkFlags, networkFlags, networkScenario } from '../horn/networkFlags.ts';
import { type NetworkRow, networkRowsBySeed } from '../horn/networkRow.ts';
import {
  type NetworkSummary,
  networkStudyRows,
  networkSummary,
  networkWorld,
  votesInReach,
} from '../horn/networkSummary.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { grouped, rowsTable } from '../output/text.ts';
import { spreadColumn, spreadMeaning, spreadText } from '../results/overSeeds.ts';
import { study } from './study.ts';

/** Flags for the runs of each system. */
export const systemFlags = {
  ...networkFlags,
  slots: setting(chainSettings.slots),
  missed: setting(chainSettings.missed),
  griefing: flag(
    '<share>',
    `${chainSettings.omitting.about} (default: Eve's share of the validators, if Eve griefs)`,
    ranged(chainSettings.omitting.range),
  ),
  everyMessage: toggle('simulate every message individually; at most 4096 validators on 512 nodes'),
  ignoreCovered: toggle(
    'with --every-message: clients ignore an aggregate if an earlier aggregate contains all of its votes',
  ),
};
/** Values of {@link systemFlags}. */
type SystemFlags = NetworkFlags & Omit<FlagsOf<typeof systemFlags>, keyof NetworkFlags>;

/** Output of `tutti slots network --json`. */
export interface SlotNetworkDocument {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  readonly rows: readonly NetworkSummary[];
}

/** Results of each system, one per seed. */
export interface NetworkFound {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  readonly groups: readonly (readonly NetworkRow[])[];
}

export const slotNetwork = study({
  name: 'network',
  about:
    'Simulate a slot of each voting system and the following blocks on nodes with links and cores like those of Ethereum nodes.',
  flags: {
    preset: flag('<name>', `one of ${votingSystemNames.join(', ')} (default: all)`, choice(votingSystemNames)),
    seeds: seedsFlag(5),
    ...systemFlags,
  },
  find: ({ preset, seeds, ...flags }, context) =>
    runSystems(preset === undefined ? votingSystemNames : [preset], flags, seedsFrom(flags.seed, seeds), context),
  document: networkDocument,
  rows: ({ groups }) => groups.flat().flatMap(networkStudyRows),
  text: networkText,
});

/** Returns the document of `--json`. */
export function networkDocument({ world, seeds, groups }: NetworkFound): SlotNetworkDocument {
  return { world, seeds, rows: groups.map(networkSummary) };
}

/**
 * Simulates each of the given systems with each of the given seeds.
 *
 * @throws UsageError if flags do not fit together; errors of `networkRowsBySeed`.
 */
export async function runSystems(
  systems: readonly VotingSystemName[],
  { slots, missed, griefing, everyMessage: singly = false, ignoreCovered = false, ...flags }: SystemFlags,
  seeds: readonly number[],
  context: Context,
): Promise<NetworkFound> {
  const { eve, eveAttack, jobs, maxConsecutiveSlots } = flags;
  const omitting = griefing ?? (eveAttack === 'griefing' ? eve : 0);
  if (singly && (flags.validators > 4096 || flags.beaconNodes > 512))
    throw badValue(
      '--every-message',
      'at most 4096 --validators and 512 --beacon-nodes',
      `${flags.validators}, ${flags.beaconNodes}`,
    );
  if (ignoreCovered && !singly) throw new UsageError('--ignore-covered: valid only with --every-message');
  const scenarios = systems.map((system) => {
    const scenario = networkScenario(system, flags);
    return { ...scenario, client: { ...scenario.client, ignoresCovered: ignoreCovered } };
  });
  const how = { singly, maxConsecutiveSlots, chain: { slots, missed, omitting } };
  const groups = await networkRowsBySeed(scenarios, seeds, how, jobs, context);
  return { world: networkWorld(scenarios, seeds), seeds, groups };
}

/** Returns the text of {@link slotNetwork}. */
export function networkText({ world, groups }: NetworkFound): string {
  return [
    slotTable(groups),
    delayTable(groups),
    loadTable(groups),
    bandwidthTable(groups),
    ...eveTable(groups),
    `${spreadMeaning} In reach, later slots: also over all nodes that could propose.\n${worldLine(world)}\n`,
  ].join('\n');
}

type Groups = readonly (readonly NetworkRow[])[];

function slotTable(groups: Groups): string {
  return rowsTable<readonly NetworkRow[]>(groups, [
    ['', ([row]) => row!.preset],
    spreadColumn('votes', ({ result }) => result.cast),
    ['slot, ms', ([row]) => row!.slotMs],
    spreadColumn('on the global topic', ({ result }) => result.globalMessages),
    spreadColumn('published, %', ({ result }) => 100 * (result.published / result.cast), 1),
    ['in reach, %', (rows) => spreadText(votesInReach(rows, 0), 1, 100)],
    [
      'later slots, %',
      (rows) => (rows.every(({ inRow }) => inRow.length === 1) ? 'same' : spreadText(votesInReach(rows), 1, 100)),
    ],
    ['worst proposer, %', (rows) => 100 * votesInReach(rows, 0).min, 1],
    spreadColumn('99 % at, ms', ({ result }) => result.reach.meanMs),
    spreadColumn('in the next block, %', ({ chain }) => 100 * chain.inNextBlock, 1),
    spreadColumn('reward lost, %', ({ chain }) => 100 * chain.rewardLost, 1),
    spreadColumn('final, s', ({ chain }) => chain.finalSeconds, 0, 'never'),
  ]);
}

/** Returns the table of delays: the times from sending a layer's messages until they have been verified. */
function delayTable(groups: Groups): string {
  const delays = groups.flatMap((rows) =>
    Object.keys(rows[0]!.result.delays).map((layer) =>
      rows.map(({ preset, result }) => ({
        name: `${preset}: ${layer}`,
        ...result.delays[layer as keyof typeof result.delays]!,
      })),
    ),
  );
  type Delay = (typeof delays)[number][number];
  return rowsTable<readonly Delay[]>(delays, [
    ['delay from sending to verification', ([row]) => row!.name],
    spreadColumn('mean, ms', ({ meanMs }) => meanMs),
    spreadColumn('p50', ({ p50Ms }) => p50Ms),
    spreadColumn('p95', ({ p95Ms }) => p95Ms),
    spreadColumn('p99', ({ p99Ms }) => p99Ms),
    spreadColumn('verified in time, %', ({ inTime }) => 100 * inTime, 1),
  ]);
}

/** Returns the table of the load per node, by link class. */
function loadTable(groups: Groups): string {
  const loads = groups.flatMap((rows) =>
    rows[0]!.result.links.map((link, index) =>
      rows.map(({ preset, result, slotMs, chain }) => ({
        name: `${preset}: ${link}`,
        slotMs,
        lost: chain.rewardLostByLink[index]!,
        ...result.loads[index]!,
      })),
    ),
  );
  type Load = (typeof loads)[number][number];
  return rowsTable<readonly Load[]>(loads, [
    ['per node and slot', ([row]) => row!.name],
    spreadColumn('MB in', ({ receivedBytes }) => receivedBytes / 1e6, 2),
    spreadColumn('MB out', ({ sentBytes }) => sentBytes / 1e6, 2),
    spreadColumn('MB out: control', ({ controlBytes }) => controlBytes / 1e6, 2),
    spreadColumn('duplicates, %', ({ copies, duplicates }) => 100 * (copies === 0 ? 0 : duplicates / copies), 1),
    spreadColumn('kB/s in', ({ receivedBytes, slotMs }) => receivedBytes / slotMs),
    spreadColumn('core seconds', ({ coreSeconds }) => coreSeconds, 2),
    spreadColumn('reward lost, %', ({ lost }) => 100 * lost, 1),
  ]);
}

/** Returns the table of bytes relative to the reference values in the post. */
function bandwidthTable(groups: Groups): string {
  return rowsTable<readonly NetworkRow[]>(groups, [
    ['compared with the post', ([row]) => row!.preset],
    spreadColumn('global topic, bytes', ({ result }) => result.globalBytes),
    spreadColumn("% of a block's blobs", ({ bandwidth }) => 100 * bandwidth.ofBlobs, 1),
    spreadColumn('% of its calldata', ({ bandwidth }) => 100 * bandwidth.ofCalldata, 1),
    spreadColumn('in, of 390 kB/s, %', ({ bandwidth }) => 100 * bandwidth.ofNoSubnets),
    spreadColumn('in, of 6 MB/s, %', ({ bandwidth }) => 100 * bandwidth.ofAllSubnets[0]!),
    spreadColumn('of 7 MB/s, %', ({ bandwidth }) => 100 * bandwidth.ofAllSubnets[1]!),
  ]);
}

/** Returns the table of votes that Byzantine validators remove and withhold; empty without Byzantine validators. */
function eveTable(groups: Groups): string[] {
  const ofHonest = groups
    .map((rows) =>
      rows.flatMap(({ result: { eve, ...result }, ...row }) => (eve === undefined ? [] : [{ ...row, result, eve }])),
    )
    .filter(({ length }) => length > 0);
  if (ofHonest.length === 0) return [];
  type Honest = (typeof ofHonest)[number][number];
  const table = rowsTable<readonly Honest[]>(ofHonest, [
    ['honest votes', ([row]) => row!.preset],
    spreadColumn("Eve's validators", ({ eve }) => eve.voters),
    spreadColumn('not published, %', ({ result }) => 100 * (1 - result.published / result.cast), 1),
    spreadColumn('not in reach, %', ({ result }) => 100 * (1 - result.inReach.mean), 1),
    spreadColumn(
      "Eve's votes not in reach, %",
      ({ eve }) => 100 * Math.max(0, 1 - eve.inReach / Math.max(1, eve.voters)),
      1,
    ),
    spreadColumn('ever in a block, %', ({ chain }) => 100 * chain.included, 1),
    spreadColumn("rewards forgone by Eve's proposers, %", ({ chain }) => 100 * chain.proposerForgone, 1),
  ]);
  const shares = groups[0]![0]!.attacks.map(({ name, share }) => `${grouped(100 * share, 1)} % ${name}`);
  return [`Eve's validators: ${shares.join(', ')}. The votes above are those of honest validators:\n`, table];
}
