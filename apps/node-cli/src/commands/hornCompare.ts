import {
  defaultHornParameters,
  type HornParameters,
  type HornSystem,
  hornSizes,
  hornSystems,
  scaledHornParameters,
} from '@tutti/core/horn';
import { partOf } from '@tutti/core/internal';
import { createSimulation, defaultScenario, fitLine, type RunResult } from '@tutti/simulation';
import {
  defaultNetworkScenario,
  defaultSlotScenario,
  type LostVotes,
  type SlotResult,
  type SlotScenario,
  votingSystemNames,
} from '@tutti/simulation/slots';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { badValue, choiceFlag, deadFlag, durationFlag, integerFlag, seedFlag, thresholdShareFlag } from '../flags.ts';
import { isCalibrated, requireCalibrated } from '../horn/calibration.ts';
import { addMachineFlags, defaultMachine, type MachineFlags, machineCosts } from '../horn/machineFlags.ts';
import { clientFlag, jobsOption, networkOption } from '../horn/networkFlags.ts';
import type { NetworkRow } from '../horn/networkRow.ts';
import { networkStudyRows } from '../horn/networkStudy.ts';
import { addParameterFlags, givenParameters } from '../horn/parameterFlags.ts';
import { playInPieces, slotParameters } from '../horn/simulateSlot.ts';
import { counted, grouped } from '../numbers.ts';
import { Progress } from '../output/progress.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';
import { Interrupted } from '../usageError.ts';
import { networkText, playPresets } from './hornNetwork.ts';

interface CompareOptions extends Partial<HornParameters>, MachineFlags {
  readonly preset: 'post' | 'all';
  readonly nodes: number;
  readonly threshold: number;
  readonly network: string;
  readonly dead: number;
  readonly desync: number;
  readonly seed: number;
  readonly uncalibrated?: boolean;
  readonly jobs: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What went over all topics of one kind, and what a member of one received. */
export interface ComparedTopic {
  readonly topics: number;
  /** Each once, whoever receives it. */
  readonly messages: number;
  readonly bytes: number;
  readonly memberMessages: number;
  readonly memberBytes: number;
  /** A second, over the whole slot. */
  readonly sustainedBytes: number;
  /** In its busiest second. */
  readonly burstBytes: number | null;
}

/** One system's figures; those that it does not have are null. */
export interface ComparedSystem {
  readonly system: HornSystem | 'handel';
  readonly machine: string;
  readonly network: string;
  /** Whether it was played, or extrapolated from smaller sizes by the fitted growth law. */
  readonly origin: 'played' | 'extrapolated';
  /** Live validators whose votes are aggregated in the slot. */
  readonly voters: number;
  /** Overloaded topics, see `SlotResult.uncalibrated`. */
  readonly uncalibrated: SlotResult['uncalibrated'];
  /**
   * From the start of the slot until the threshold's share of the votes is in the next block's reach; null for never.
   */
  readonly reachMs: number | null;
  readonly slotEndMs: number | null;
  /** Of the votes cast, percent, when the slot ends. */
  readonly inReachPercent: number | null;
  /**
   * Percentage of the votes cast that late or missing aggregators or collectors lost. Handel has neither, so a node
   * that reaches the threshold loses nothing; null if not all reach it.
   */
  readonly lostPercent: number | null;
  /** The same votes by what they were lost to; null for Handel. */
  readonly lost: LostVotes | null;
  /** Messages on the global topic and their bytes, each once. */
  readonly globalMessages: number | null;
  readonly globalBytes: number | null;
  /** Each kind of topic; of Handel, the messages between its nodes, which have one receiver each. */
  readonly topics: Readonly<Record<string, ComparedTopic>>;
  /** What a validator that votes receives in the slot, copies included. */
  readonly receivedMessages: number;
  readonly receivedBytes: number;
  /** The same over the whole slot, bytes a second; of Handel over today's. */
  readonly sustainedBytes: number;
  /**
   * What it receives on its busiest topic in that topic's busiest second; for Handel, everything, if it is over within
   * a second.
   */
  readonly burstBytes: number | null;
  /** Seconds to verify what is on the global topic; of Handel, all that a node verifies. */
  readonly verificationSeconds: number;
}

/** What `tutti horn compare --preset post --json` prints. */
export interface CompareDocument {
  readonly systems: readonly ComparedSystem[];
  /**
   * What Handel's extrapolation follows from: sizes that were played, and how well the laws fit them. Time grows with
   * log N, messages and checks with log^2 N (v1.03 section 4.1). A message is mostly signatures and codes of full sets,
   * whose lengths grow with log N; where many are dead sets are not full, and bitfields grow with N: the better fit is
   * taken.
   */
  readonly growth: {
    readonly sizes: readonly number[];
    readonly timeR2: number;
    readonly messagesR2: number;
    readonly messageBytesWith: string;
    readonly messageBytesR2: number;
  };
}

/**
 * What `tutti horn compare --json` prints: systems on the post's assumptions, and all of them on nodes with links and
 * cores.
 */
export interface CompareAllDocument {
  readonly post: CompareDocument;
  readonly rows: readonly NetworkRow[];
}

export function hornCompareCommand(context: Context): Command {
  const defaults = defaultSlotScenario;
  const command = new Command('compare')
    .description(
      "Play every voting system: on the post's own assumptions over one network and one slot clock, and on nodes with links and cores.",
    )
    .option(
      '--preset <name>',
      "post: only on the post's own assumptions; all: also every system of 'tutti horn network'",
      choiceFlag('--preset', ['post', 'all'] as const),
      'all',
    )
    .option('-n, --nodes <n>', 'validators, 512 to 1048576', integerFlag('--nodes', 512, 2 ** 20), 2 ** 20)
    .option('--threshold <share>', 'share of the live voters to wait for', thresholdShareFlag, defaults.threshold)
    .addOption(networkOption(defaults.network))
    .option('--dead <share>', 'share of the validators that are dead', deadFlag, defaults.dead)
    .option('--desync <ms>', 'clocks are late by up to this', durationFlag('--desync'), defaults.desyncMs)
    .option('--seed <n>', 'an integer from 0 to 4294967295', seedFlag, defaults.seed)
    .option(
      '--uncalibrated',
      'compare even where a round is overloaded, although what is lost there was not calibrated',
    )
    .addOption(jobsOption())
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async (options: CompareOptions, self: Command) => {
      requireOut(options);
      // Every subcommittee of those systems has somebody.
      const least = 32 * (options.subcommittees ?? defaultHornParameters.subcommittees);
      if (options.preset === 'all' && options.nodes < least) {
        const expected = `at least ${least} for the systems of 'tutti horn network', or --preset post`;
        throw badValue('--nodes', expected, `${options.nodes}`);
      }
      const document = await compare(options, context);
      if (options.preset === 'post') {
        writeStudy(options.out, () => postRows(document, options), self, options.seed);
        context.out(options.json ? `${JSON.stringify(document)}\n` : summary(document));
        return;
      }
      const rows = await onNetwork(options, context);
      writeStudy(options.out, () => studyRows(document, rows, options), self, options.seed);
      const all: CompareAllDocument = { post: document, rows };
      context.out(options.json ? `${JSON.stringify(all)}\n` : `${summary(document)}\n${networkText(rows)}`);
    });
  return addParameterFlags(addMachineFlags(command, true), slotParameters);
}

/** A row a system on the post's assumptions, by the names that other studies of slots have for the same. */
function postRows({ systems }: CompareDocument, { nodes, dead, desync, threshold, seed }: CompareOptions): object[] {
  return systems.map(({ system, machine, network, origin, voters, uncalibrated: _, ...row }) => ({
    ...{ assumed: 'post', preset: system, validators: nodes, network, machine, origin, participationShare: 1 - dead },
    ...{ desyncMs: desync, thresholdShare: threshold, seed, votes: voters, ...row },
  }));
}

/** The same, and then a row a class of links of each system on nodes with links and cores. */
function studyRows(document: CompareDocument, rows: readonly NetworkRow[], options: CompareOptions): object[] {
  const onNodes = rows.flatMap(networkStudyRows).map((row) => ({ assumed: 'nodes', ...row }));
  return [...postRows(document, options), ...onNodes];
}

/** The same validators, machine and latencies, on nodes that host them. */
function onNetwork(options: CompareOptions, context: Context): Promise<NetworkRow[]> {
  const { nodes, client, reserved, distribution, keySums } = defaultNetworkScenario;
  return playPresets(
    votingSystemNames,
    {
      validators: options.nodes,
      beaconNodes: Math.min(nodes, Math.max(16, options.nodes >>> 4)),
      distribution,
      links: defaultNetworkScenario.links,
      reserved,
      machine: options.machine ?? defaultMachine,
      cores: client.cores,
      client: clientFlag('lighthouse'),
      keySums: options.keySums ?? keySums,
      idontwant: true,
      sendTimeout: true,
      network: options.network,
      participation: 1 - options.dead,
      seed: options.seed,
      inRow: 3,
      slots: 32,
      missed: 0,
      eve: 0,
      eveAttack: 'griefing',
      jobs: options.jobs,
      ...(options.subcommittees !== undefined && { subcommittees: options.subcommittees }),
    },
    context,
  );
}

async function compare(options: CompareOptions, context: Context): Promise<CompareDocument> {
  const parameters = givenParameters(options, scaledHornParameters(options.nodes, defaultHornParameters));
  const { network, dead, seed, threshold } = options;
  const { checkMs, ...costs } = machineCosts(options);
  const shared = { network, dead, seed, threshold, desyncMs: options.desync };
  const on = { machine: options.machine ?? defaultMachine, network };
  const systems: ComparedSystem[] = [];
  let attestMs = 0;
  for (const system of hornSystems) {
    const scenario: SlotScenario = { ...defaultSlotScenario, ...shared, ...costs, system, parameters };
    const slot = await playInPieces(scenario, 'statistical', context);
    systems.push({ ...ofSlot(slot.result(), system), ...on });
    attestMs = (1000 * parameters.slotSeconds) / parameters.rounds;
  }
  if (!options.uncalibrated) requireCalibrated(systems);
  const { committee } = hornSizes(parameters);
  const sizes = [64, 16, 4, 1].map((part) => Math.floor(committee / part)).filter((size) => size >= 8);
  const runs: RunResult[] = [];
  for (const nodes of sizes) runs.push(await playHandel({ ...shared, verifyMs: checkMs, nodes }, context));
  const played = runs.at(-1)!;
  const seconds = ({ checked }: RunResult): number => (checked.mean * checkMs) / 1000;
  const fit = (value: (run: RunResult) => number, power: number) =>
    fitLine(runs.map((run) => [Math.log2(run.nodes) ** power, value(run)] as const));
  const time = fit((run) => run.timeToThresholdMs.mean, 1);
  const messages = fit((run) => run.messagesSent.mean, 2);
  const lengths = (against: (nodes: number) => number) =>
    fitLine(runs.map((run) => [against(run.nodes), run.bytesSent.mean / run.messagesSent.mean] as const));
  const [withLog, withN] = [lengths(Math.log2), lengths((nodes) => nodes)];
  const lengthsGrowWithLog = withLog.r2 >= withN.r2;
  const log = Math.log2(options.nodes);
  const slotSeconds = parameters.slotSeconds;
  const handel = (voters: number, memberMessages: number, memberBytes: number, isOverInASecond: boolean) => {
    const sustainedBytes = memberBytes / slotSeconds;
    const burstBytes = isOverInASecond ? memberBytes : null;
    const messages = voters * memberMessages;
    return {
      system: 'handel',
      ...on,
      voters,
      uncalibrated: [],
      slotEndMs: null,
      inReachPercent: null,
      lost: null,
      globalMessages: null,
      globalBytes: null,
      // What was sent is received by somebody, if after the end of the run.
      receivedMessages: memberMessages,
      receivedBytes: memberBytes,
      sustainedBytes,
      burstBytes,
      topics: {
        direct: {
          ...{ topics: 1, messages, bytes: voters * memberBytes },
          ...{ memberMessages, memberBytes, sustainedBytes, burstBytes },
        },
      },
    } as const;
  };
  const isReached = played.reached === played.live;
  const lostPercent = isReached ? 0 : null;
  systems.push({
    ...handel(played.live, played.messagesSent.mean, played.bytesSent.mean, played.timeToThresholdMs.max <= 1000),
    origin: 'played',
    reachMs: isReached ? attestMs + played.timeToThresholdMs.mean : null,
    lostPercent,
    verificationSeconds: seconds(played),
  });
  const sent = messages.at(log ** 2);
  const length = lengthsGrowWithLog ? withLog.at(log) : withN.at(options.nodes);
  systems.push({
    ...handel(options.nodes - partOf(options.nodes, dead), sent, sent * length, time.at(log) <= 1000),
    origin: 'extrapolated',
    reachMs: attestMs + time.at(log),
    lostPercent,
    verificationSeconds: fit(seconds, 2).at(log ** 2),
  });
  const growth = {
    sizes,
    timeR2: time.r2,
    messagesR2: messages.r2,
    messageBytesWith: lengthsGrowWithLog ? 'log N' : 'N',
    messageBytesR2: Math.max(withLog.r2, withN.r2),
  };
  return { systems, growth };
}

function ofSlot(result: SlotResult, system: HornSystem): Omit<ComparedSystem, 'machine' | 'network'> {
  const { topics, votes } = result;
  const kinds = Object.values(topics);
  return {
    system,
    origin: 'played',
    voters: votes.cast,
    uncalibrated: result.uncalibrated,
    reachMs: result.blockReachMs,
    slotEndMs: result.slotEndMs,
    inReachPercent: votes.cast === 0 ? null : (100 * votes.inReach) / votes.cast,
    lostPercent: votes.cast === 0 ? null : (100 * lostToRoles(votes.lost)) / votes.cast,
    lost: votes.lost,
    globalMessages: topics.global.messages,
    globalBytes: topics.global.bytes,
    receivedMessages: kinds.reduce((sum, { memberMessages }) => sum + memberMessages, 0),
    receivedBytes: kinds.reduce((sum, { memberBytes }) => sum + memberBytes, 0),
    sustainedBytes: kinds.reduce((sum, of) => sum + of.sustainedBytes, 0),
    burstBytes: Math.max(...kinds.map(({ burstBytes }) => burstBytes)),
    topics: Object.fromEntries(Object.entries(topics).filter(([, { messages }]) => messages > 0)),
    verificationSeconds: result.verificationSeconds.total,
  };
}

/** What is late on the global topic is no aggregator's fault. */
function lostToRoles(lost: LostVotes): number {
  return Object.values(lost).reduce((sum, votes) => sum + votes, 0) - lost.lateOnGlobalTopic;
}

interface HandelWorld {
  readonly nodes: number;
  readonly network: string;
  readonly dead: number;
  readonly desyncMs: number;
  readonly threshold: number;
  readonly verifyMs: number;
  readonly seed: number;
}

/** Handel among standard machines, as the validators of a slot are. */
async function playHandel(world: HandelWorld, context: Context): Promise<RunResult> {
  const progress = new Progress(context);
  const simulation = createSimulation({ ...defaultScenario, ...world, cpu: { ...defaultScenario.cpu, spread: 1 } });
  try {
    while (simulation.advance(65_536)) {
      await new Promise(setImmediate);
      if (context.signal.aborted) throw new Interrupted();
      progress.update(() => `playing Handel among ${grouped(world.nodes)}: ${counted(simulation.events, 'event')}`);
    }
  } finally {
    progress.done();
  }
  return simulation.result();
}

function name({ system, origin }: ComparedSystem): string {
  return `${system}${origin === 'extrapolated' ? ' (extrapolated)' : ''}`;
}

/** What a reader of the votes in reach has to know of overloaded topics. */
function overloadLines(systems: readonly ComparedSystem[]): string[] {
  return systems
    .filter(({ uncalibrated }) => uncalibrated.length > 0)
    .map(({ system, uncalibrated }) => {
      const off = isCalibrated(uncalibrated)
        ? 'its votes in reach are within 13 % of those cast'
        : 'what is lost there was not calibrated';
      return `Overloaded: ${system}'s ${uncalibrated.join(' and ')} topic; ${off}.\n`;
    });
}

function summary({ systems, growth }: CompareDocument): string {
  const shown = (value: number | null, digits = 0): string => (value === null ? '-' : grouped(value, digits));
  const rows = systems.map((of) => [
    name(of),
    shown(of.voters),
    shown(of.reachMs),
    shown(of.slotEndMs),
    shown(of.inReachPercent, 1),
    shown(of.lostPercent, 3),
    shown(of.receivedMessages),
    shown(of.receivedBytes),
    shown(of.sustainedBytes),
    shown(of.burstBytes),
    shown(of.verificationSeconds, 2),
  ]);
  const topicRows = systems.flatMap((of) =>
    Object.entries(of.topics).map(([topic, traffic]) => [
      `${name(of)}: ${topic}`,
      shown(traffic.topics),
      shown(traffic.messages),
      shown(traffic.bytes),
      shown(traffic.memberMessages),
      shown(traffic.memberBytes),
      shown(traffic.sustainedBytes),
      shown(traffic.burstBytes),
    ]),
  );
  const head = [
    '',
    'voters',
    'in reach, ms',
    'slot ends',
    'in reach then, %',
    'lost by roles, %',
    'received by a voter',
    'bytes',
    'bytes/s',
    'busiest second',
    'verifying, s',
  ];
  const topicHead = ['', 'topics', 'messages', 'bytes', 'a member receives', 'bytes', 'bytes/s', 'busiest second'];
  const { sizes, timeR2, messagesR2, messageBytesWith, messageBytesR2 } = growth;
  return [
    columnTable(head, rows),
    columnTable(topicHead, topicRows),
    ...overloadLines(systems),
    `Extrapolated from Handel at ${sizes.map((size) => grouped(size)).join(', ')} nodes: time with log N (R² ${timeR2.toFixed(3)}), messages and checks with log² N (R² ${messagesR2.toFixed(3)}), a message's length with ${messageBytesWith} (R² ${messageBytesR2.toFixed(3)}).\n`,
  ].join('\n');
}
