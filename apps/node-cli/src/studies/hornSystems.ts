import {
  defaultHornParameters,
  type HornParameters,
  hornSettings,
  hornSizes,
  hornSystems,
  scaledHornParameters,
} from '@tutti/core/horn';
import { integers } from '@tutti/core/input';
import {
  defaultNetworkScenario,
  defaultSlotScenario,
  type SlotScenario,
  votingSystemNames,
  votingSystems,
} from '@tutti/ethereum';
import { defaultMachine, slotRanges, slotSettings } from '@tutti/ethereum/settings';
import type { RunResult } from '@tutti/simulation';
import type { Context } from '../context.ts';
import {
  badValue,
  choice,
  countSetting,
  defaultsOf,
  type FlagsOf,
  flag,
  seedsFlag,
  seedsFrom,
  setting,
  thresholdShareFlag,
  toggle,
} from '../flags.ts';
import { networkFlag, slotJobsFlag } from '../horn/networkFlags.ts';
import { networkStudyRows } from '../horn/networkSummary.ts';
import { isCalibrated, requireCalibrated, runInPieces } from '../horn/simulateSlot.ts';
import {
  checkMsOf,
  givenParameters,
  machineCosts,
  machineFlags,
  parameterFlags,
  slotParameters,
  verifyFlag,
} from '../horn/slotFlags.ts';
import { postWorld, type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { grouped, rowsTable } from '../output/text.ts';
import { type OverSeeds, overSeeds, spreadColumn, spreadMeaning } from '../results/overSeeds.ts';
import { type ComparedSystem, type Growth, handelOf, ofSlot, runHandel } from './comparedSystem.ts';
import {
  type NetworkFound,
  networkDocument,
  networkText,
  runSystems,
  type SlotNetworkDocument,
  systemFlags,
} from './slotNetwork.ts';
import { study } from './study.ts';

/** Results of one seed. */
interface PostSystems {
  readonly systems: readonly ComparedSystem[];
  readonly sizes: readonly number[];
  readonly growth: Growth;
}

/** Output of `tutti horn systems --preset post --json`. Each number is a summary over seeds. */
interface HornCompareDocument {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  readonly systems: readonly OverSeeds<ComparedSystem>[];
  readonly growth: OverSeeds<Growth> & { readonly sizes: readonly number[] };
}

/**
 * Output of `tutti horn systems --json`: the systems under the post's assumptions, and all systems on nodes with
 * limited links and cores.
 */
interface CompareAllDocument extends SlotNetworkDocument {
  readonly post: HornCompareDocument;
}

const sizes = integers(512, slotRanges.validators.max);
const { network, threshold, desyncMs, seed } = slotSettings;

/** Minimum number of nodes of a simulation of Handel. The extrapolation needs two sizes, which differ by a factor of 4. */
const minHandelNodes = 8;

const flags = {
  preset: flag(
    '<name>',
    "post: simulate only under the post's assumptions; all: also simulate every system of 'tutti slots network'",
    choice(['post', 'all']),
    'all',
  ),
  nodes: countSetting({ range: sizes, default: sizes.max, about: 'validators' }),
  threshold: flag(
    '<share>',
    'share of the live voters whose votes a node waits for',
    () => thresholdShareFlag,
    threshold.default,
  ),
  network: networkFlag(network.default),
  dead: setting(slotSettings.dead),
  desync: setting(desyncMs),
  seed: setting(seed),
  seeds: seedsFlag(2),
  uncalibrated: toggle('compare even if a round is overloaded, so that the losses in it are not calibrated'),
  jobs: slotJobsFlag(),
  ...machineFlags,
  ...verifyFlag,
  ...parameterFlags(slotParameters),
};
type CompareOptions = FlagsOf<typeof flags>;
type SeedOptions = Omit<CompareOptions, 'seeds'>;

/** Results under the post's assumptions and on nodes with limited links and cores. */
interface Found {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  /** Results under the post's assumptions, one per seed. */
  readonly post: readonly PostSystems[];
  /** Results on nodes; undefined if only the post's results were requested. */
  readonly onNodes?: NetworkFound;
}

export const hornSystemsStudy = study({
  name: 'systems',
  about:
    "Simulate every voting system twice: once under the post's assumptions (one network, one slot clock), and once on nodes with limited links and cores.",
  flags,
  short: { nodes: 'n' },
  async find({ seeds: count, ...options }, context): Promise<Found> {
    // Every subcommittee of the systems needs at least one member.
    const min = votingSystems.horn.committees * (options.subcommittees ?? hornSettings.subcommittees.default);
    if (options.preset === 'all' && options.nodes < min) {
      const expected = `at least ${min} for the systems of 'tutti slots network', or --preset post`;
      throw badValue('--nodes', expected, `${options.nodes}`);
    }
    const seeds = seedsFrom(options.seed, count);
    const post: PostSystems[] = [];
    const { nodes, network, machine = defaultMachine, dead, desync } = options;
    const parameters = givenParameters(options, scaledHornParameters(nodes, defaultHornParameters), 'nodes');
    const minNodes = 4 * minHandelNodes * parameters.committees;
    if (nodes < minNodes) {
      const expected = `at least ${minNodes} for ${parameters.committees} committees, to extrapolate Handel`;
      throw badValue('--nodes', expected, `${nodes}`);
    }
    for (const seed of seeds) post.push(await compare({ ...options, seed }, parameters, context));
    const { slotSeconds, rounds } = parameters;
    const world = postWorld({
      validators: nodes,
      network,
      seeds,
      machine: `one core of ${machine}`,
      attestMs: (1000 * slotSeconds) / rounds,
      also: [`${grouped(100 * dead)} % of the validators dead`, `clock differences of up to ${desync} ms`],
    });
    return {
      world,
      seeds,
      post,
      ...(options.preset === 'all' && { onNodes: await onNetwork(options, seeds, context) }),
    };
  },
  document: ({ world, seeds, post, onNodes }): HornCompareDocument | CompareAllDocument => {
    const { sizes } = post[0]!;
    const of = overSeeds(post.map(({ systems, growth }) => ({ systems, growth })));
    const document: HornCompareDocument = { world, seeds, systems: of.systems, growth: { sizes, ...of.growth } };
    return onNodes === undefined ? document : { post: document, ...networkDocument(onNodes) };
  },
  rows: ({ post, seeds, onNodes }, options) => [
    ...post.flatMap(({ systems }, at) => postRows(systems, { ...options, seed: seeds[at]! })),
    // One row per link class for each system and seed.
    ...(onNodes?.groups ?? [])
      .flat()
      .flatMap(networkStudyRows)
      .map((row) => ({ assumed: 'nodes', ...row })),
  ],
  text: (found) => (found.onNodes === undefined ? summary(found) : `${summary(found)}\n${networkText(found.onNodes)}`),
});

/** Returns one row per system under the post's assumptions, with the same column names as in other studies of slots. */
function postRows(systems: readonly ComparedSystem[], { nodes, dead, desync, threshold, seed }: SeedOptions): object[] {
  return systems.map(({ system, machine, network, origin, voters, uncalibrated: _, ...row }) => ({
    assumed: 'post',
    preset: system,
    validators: nodes,
    network,
    machine,
    origin,
    participationShare: 1 - dead,
    desyncMs: desync,
    thresholdShare: threshold,
    seed,
    votes: voters,
    ...row,
  }));
}

/** Simulates the same validators, machine and latencies, with nodes that host the validators. */
function onNetwork(options: SeedOptions, seeds: readonly number[], context: Context): Promise<NetworkFound> {
  const { nodes, machine, keySums, subcommittees, network, dead, seed, jobs } = options;
  const flags = {
    ...defaultsOf(systemFlags),
    ...{ network, seed, jobs, validators: nodes, participation: 1 - dead },
    beaconNodes: Math.min(defaultNetworkScenario.nodes, Math.max(16, nodes >>> 4)),
    ...(machine !== undefined && { machine }),
    ...(keySums !== undefined && { keySums }),
    ...(subcommittees !== undefined && { subcommittees }),
  };
  return runSystems(votingSystemNames, flags, seeds, context);
}

async function compare(options: SeedOptions, parameters: HornParameters, context: Context): Promise<PostSystems> {
  const { network, dead, seed, threshold } = options;
  const [checkMs, costs] = [checkMsOf(options), machineCosts(options)];
  const shared = { network, dead, seed, threshold, desyncMs: options.desync };
  const on = { machine: options.machine ?? defaultMachine, network };
  const systems: ComparedSystem[] = [];
  for (const system of hornSystems) {
    const scenario: SlotScenario = { ...defaultSlotScenario, ...shared, ...costs, system, parameters };
    const slot = await runInPieces(scenario, 'statistical', context);
    systems.push({ ...ofSlot(slot.result(), system), ...on });
  }
  if (!options.uncalibrated) requireCalibrated(systems);
  const { committee } = hornSizes(parameters);
  const sizes = [64, 16, 4, 1].map((part) => Math.floor(committee / part)).filter((size) => size >= minHandelNodes);
  const runs: RunResult[] = [];
  for (const nodes of sizes) runs.push(await runHandel({ ...shared, verifyMs: checkMs, nodes }, context));
  const { growth, ...handel } = handelOf(runs, parameters, checkMs, options);
  const rows = [handel.run, handel.extrapolated].map(({ system, ...of }) => ({ system, ...on, ...of }));
  return { systems: [...systems, ...rows], sizes: runs.map(({ nodes }) => nodes), growth };
}

function name({ system, origin }: ComparedSystem): string {
  return `${system}${origin === 'extrapolated' ? ' (extrapolated)' : ''}`;
}

/**
 * Returns warnings about topics that are overloaded with any seed, which affect the number of votes in reach.
 *
 * @param groups results of each system, one per seed.
 */
export function overloadLines(
  groups: readonly (readonly Pick<ComparedSystem, 'system' | 'uncalibrated'>[])[],
): string[] {
  return groups.flatMap((group) => {
    const topics = [...new Set(group.flatMap(({ uncalibrated }) => uncalibrated))];
    if (topics.length === 0) return [];
    const off = isCalibrated(topics)
      ? 'its number of votes in reach is accurate to within 13 % of the votes cast'
      : `the losses on ${topics.length > 1 ? 'these topics' : 'this topic'} are not calibrated`;
    return [
      `Overloaded: ${group[0]!.system}'s ${topics.join(' and ')} topic${topics.length > 1 ? 's' : ''}; ${off}.\n`,
    ];
  });
}

function summary({ world, post }: Found): string {
  const groups = post[0]!.systems.map((_, at) => post.map(({ systems }) => systems[at]!));
  const topics = groups.flatMap((group) =>
    Object.keys(group[0]!.topics).map((topic) =>
      group.map((of) => ({ ...of.topics[topic]!, name: `${name(of)}: ${topic}` })),
    ),
  );
  type NamedTopic = (typeof topics)[number][number];
  const { sizes } = post[0]!;
  const { timeR2, messagesR2, messageBytesWith, messageBytesR2 } = post[0]!.growth;
  const fits = `Handel is extrapolated from ${sizes.map((size) => grouped(size)).join(', ')} nodes: time with log N (R² ${timeR2.toFixed(3)}), messages and checks with log² N (R² ${messagesR2.toFixed(3)}), a message's length with ${messageBytesWith} (R² ${messageBytesR2.toFixed(3)}). The fits use the first seed.`;
  return [
    rowsTable<readonly ComparedSystem[]>(groups, [
      ['', ([of]) => name(of!)],
      spreadColumn('voters', ({ voters }) => voters),
      spreadColumn('in reach, ms', ({ reachMs }) => reachMs),
      spreadColumn('slot ends', ({ slotEndMs }) => slotEndMs),
      spreadColumn('in reach then, %', ({ inReachPercent }) => inReachPercent, 1),
      spreadColumn('lost by roles, %', ({ lostPercent }) => lostPercent, 3),
      spreadColumn('received by a voter', ({ receivedMessages }) => receivedMessages),
      spreadColumn('bytes', ({ receivedBytes }) => receivedBytes),
      spreadColumn('bytes/s', ({ sustainedBytes }) => sustainedBytes),
      spreadColumn('busiest second', ({ burstBytes }) => burstBytes),
      spreadColumn('verifying, s', ({ verificationSeconds }) => verificationSeconds, 2),
    ]),
    rowsTable<readonly NamedTopic[]>(topics, [
      ['', ([topic]) => topic!.name],
      spreadColumn('topics', (topic) => topic.topics),
      spreadColumn('messages', ({ messages }) => messages),
      spreadColumn('bytes', ({ bytes }) => bytes),
      spreadColumn('a member receives', ({ memberMessages }) => memberMessages),
      spreadColumn('bytes', ({ memberBytes }) => memberBytes),
      spreadColumn('bytes/s', ({ sustainedBytes }) => sustainedBytes),
      spreadColumn('busiest second', ({ burstBytes }) => burstBytes),
    ]),
    ...overloadLines(groups),
    `${fits} ${spreadMeaning}\n${worldLine(world)}\n`,
  ].join('\n');
}
