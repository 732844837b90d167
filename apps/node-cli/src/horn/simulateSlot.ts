import { thresholdText } from '@tutti/core';
import { defaultHornParameters, type HornSystem, scaledHornParameters } from '@tutti/core/horn';
import {
  createSlot,
  defaultSlotScenario,
  type LossName,
  lossNames,
  type Slot,
  type SlotMode,
  type SlotResult,
  type SlotScenario,
  type TopicTraffic,
} from '@tutti/ethereum';
import { clientSettings, hornAttacks } from '@tutti/ethereum/settings';
import type { AttackShare } from '@tutti/simulation';
import type { Command } from 'commander';
import { breathe, type Context, UsageError } from '../context.ts';
import { badChoiceValue, type FlagReader, fieldFlag, givenFlag, numberFlag } from '../flags.ts';
import { ownPeakRssBytes, Progress, secondsSince } from '../output/progress.ts';
import { columnTable, counted, grouped, pairTable, wrapped } from '../output/text.ts';
import { type HornProtocol, readScenario } from '../scenarioFlags.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import {
  givenParameters,
  machineCosts,
  type SlotFlags,
  sharedFields,
  slotFlags,
  systems,
  validated,
} from './slotFlags.ts';

await loadAllNetworks();

/** Reads NAME:SHARE: an attack, and the share of all nodes that carry it out, from 0 to less than 1. */
export const attackFlag: FlagReader<AttackShare> = (text) => {
  const [, name = '', share = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? [];
  const names = hornAttacks.map((attack) => attack.name);
  if (!names.includes(name))
    throw badChoiceValue('--attack', names, text, `NAME:SHARE, where NAME is one of ${names.join(', ')}`, name);
  const read = numberFlag('--attack', 'a share from 0 to less than 1 after the colon', (value) => value < 1);
  return { name, share: read(share) };
};

/** Output of `tutti simulate --protocol horn --json`, and of the same command with the other systems. */
interface SlotDocument extends SlotResult {
  readonly protocol: HornProtocol;
  readonly wallSeconds: number;
  readonly peakRssBytes: number;
}

/**
 * Simulates the slot that the flags describe; by default, the slot has the size of the post.
 *
 * @throws UsageError for a flag that does not apply to slots; Interrupted.
 */
export async function simulateSlot(flags: SlotFlags, command: Command, context: Context): Promise<void> {
  const isGiven = (attribute: string): boolean => command.getOptionValueSource(attribute) === 'cli';
  const other = givenFlag(command, (flag) => !slotFlags.includes(flag));
  if (other !== undefined) throw new UsageError(`${other}: cannot be combined with --protocol ${flags.protocol}`);
  const shared = await readScenario(command, sharedFields);
  const { threshold, network, tor, dead, desyncMs, verifyMs, seed } = shared;
  const validators = isGiven('nodes') ? shared.nodes : defaultHornParameters.validators;
  const readBatch = fieldFlag({ ...clientSettings.batch, name: 'batch' });
  const batch = flags.batch === undefined ? undefined : readBatch(flags.batch);
  const scenario: SlotScenario = {
    ...defaultSlotScenario,
    system: systems[flags.protocol],
    parameters: givenParameters(flags, scaledHornParameters(validators, defaultHornParameters), 'nodes'),
    threshold,
    network,
    tor,
    dead,
    attacks: flags.attack.map(attackFlag),
    desyncMs,
    // Without `--verify-ms`, the machine determines the cost, because the default of that flag is Handel's.
    ...machineCosts({ ...flags, batch, verifyMs: isGiven('verifyMs') ? verifyMs : undefined }),
    degree: isGiven('degree') ? shared.gossip.degree : defaultSlotScenario.degree,
    seed,
  };
  const startedMs = performance.now();
  const slot = await runInPieces(scenario, flags.everyMessage ? 'messages' : 'statistical', context);
  const document: SlotDocument = {
    protocol: flags.protocol,
    ...slot.result(),
    wallSeconds: secondsSince(startedMs),
    peakRssBytes: ownPeakRssBytes(),
  };
  context.out(flags.json ? `${JSON.stringify(document)}\n` : summary(document));
}

/**
 * Simulates a slot in parts, and yields to the event loop between the parts so that the command can show progress and
 * react to Ctrl-C.
 *
 * @throws UsageError for inconsistent settings; Interrupted.
 */
export async function runInPieces(scenario: SlotScenario, mode: SlotMode, context: Context): Promise<Slot> {
  const progress = new Progress(context);
  try {
    const slot = validated(() => createSlot(scenario, { mode }), 'nodes');
    while (slot.advance(1)) {
      await breathe(context);
      const work = { done: slot.progress, left: 1 - slot.progress };
      progress.update(() => `running a slot of ${scenario.system}: ${grouped(100 * slot.progress)} %`, work);
    }
    return slot;
  } finally {
    progress.done();
  }
}

const lossWords: Readonly<Record<LossName, string>> = {
  missingAggregators: 'without an aggregator',
  hostileAggregators: "with only Eve's aggregators",
  lateForAggregators: 'late for aggregators',
  missingCollectors: 'without a collector',
  hostileCollectors: "with only Eve's collectors",
  outweighed: "outweighed by Eve's aggregates",
  notCollected: 'not collected',
  lateOnGlobalTopic: 'late on the global topic',
};

/** Kinds of losses that only Byzantine nodes can cause. */
const byzantineLosses: ReadonlySet<LossName> = new Set(['hostileAggregators', 'hostileCollectors', 'outweighed']);

/** Describes the nodes that are not live, and the causes. */
function absentText({ nodes, live, scenario: { attacks } }: SlotDocument): string {
  const byzantine = attacks.map(({ name, share }) => `${name}:${share}`).join(', ');
  return `${grouped(nodes - live)} dead${attacks.length === 0 ? '' : ` or Byzantine: ${byzantine}`}`;
}

/**
 * Returns a warning about topics on which nodes are too slow to verify the messages. On such topics, a sampled slot
 * loses other votes than a complete slot.
 */
function overloadText({ uncalibrated: topics }: SlotDocument): string {
  const off = isCalibrated(topics)
    ? 'The number of votes in reach is accurate to within 13 % of the votes cast'
    : 'The losses on these topics come from a sample that is not calibrated, so only their order of magnitude is reliable';
  return `Overloaded topics, whose members are still verifying at their deadline: ${topics.join(', ')}. ${off}. With --every-message, up to 32,768 validators can be simulated exactly.`;
}

function summary(document: SlotDocument): string {
  const { scenario, mode, nodes, topics } = document;
  const { committees, subcommittees } = scenario.parameters;
  const share = thresholdText(scenario.threshold);
  const inReach =
    document.blockReachMs === null
      ? `${share} of the votes never reached the next proposer.`
      : `${share} of the votes had reached the next proposer after ${grouped(document.blockReachMs)} ms; the slot ends after ${grouped(document.slotEndMs)} ms.`;
  return [
    wrapped(
      `${document.protocol}, ${counted(nodes, 'validator')} (${absentText(document)}), ${counted(committees, 'committee')} of ${counted(subcommittees, 'subcommittee')}, network ${scenario.network}, ${mode === 'messages' ? 'every message simulated' : 'a sample of messages simulated'}`,
    ),
    wrapped(`${inReach}\n`),
    ...(document.uncalibrated.length === 0 ? [] : [wrapped(`${overloadText(document)}\n`)]),
    columnTable(
      [
        'topic',
        'messages',
        'bytes',
        'messages received per member',
        'bytes received per member',
        'bytes/s',
        'busiest second',
        'delay ms, mean',
        '95 %',
      ],
      Object.entries(topics)
        .filter(([, { messages }]) => messages > 0)
        .map(([name, traffic]) => [name, ...trafficCells(traffic)]),
    ),
    factsTable(document),
  ].join('\n');
}

function factsTable(document: SlotDocument): string {
  const { live, reached, timeToThresholdMs, verificationSeconds: seconds } = document;
  const { cast, inReach, lost, byzantine } = document.votes;
  const losses = lossNames
    .filter((name) => lost[name] > 0 || !byzantineLosses.has(name))
    .map((name) => `${grouped(lost[name])} ${lossWords[name]}`);
  const eves = `${counted(byzantine.voters, 'voter')}, ${counted(byzantine.cast, 'vote')} cast, ${grouped(byzantine.inReach)} in reach`;
  const times =
    reached === 0 ? '' : `: after ${grouped(timeToThresholdMs.min)} to ${grouped(timeToThresholdMs.max)} ms`;
  return pairTable([
    ['votes', `${grouped(cast)} cast, ${grouped(inReach)} in reach when the slot ended`],
    ['lost', losses.join(', ')],
    ...(byzantine.voters === 0 ? [] : [["Eve's", eves] as const]),
    [
      'global topic',
      `${grouped(seconds.total, 2)} s to verify on one core: signatures ${grouped(seconds.signatures, 2)}, keys ${grouped(seconds.keysNaive, 2)}, keys by subtraction ${grouped(seconds.keysSubtracting, 2)}`,
    ],
    [
      'full nodes',
      `${grouped(reached)} of ${grouped(live)} know ${thresholdText(document.scenario.threshold)} of the votes, as estimated from ${document.watched} observed nodes${times}`,
    ],
    ['took', `${grouped(document.wallSeconds, 2)} s, ${grouped(document.peakRssBytes / 1e6)} MB at most`],
    ['reproduce', `with --seed ${document.seed} and version ${document.version}: digest ${document.digest}`],
  ]);
}

function trafficCells(traffic: TopicTraffic): string[] {
  const { messages, bytes, memberMessages, memberBytes, sustainedBytes, burstBytes, delayMs } = traffic;
  const values = [messages, bytes, memberMessages, memberBytes, sustainedBytes, burstBytes, delayMs.mean, delayMs.p95];
  return values.map((value) => grouped(value));
}

type Topic = SlotResult['uncalibrated'][number];

/**
 * Returns whether the number of votes within reach is calibrated (docs/research/horn/slot-simulation.md), which
 * requires that no topic other than the global topic is overloaded.
 */
export function isCalibrated(uncalibrated: readonly Topic[]): boolean {
  return uncalibrated.every((topic) => topic === 'global');
}

/**
 * Rejects a comparison of systems by votes if vote losses were sampled without calibration.
 *
 * @throws UsageError that names the first system with such losses.
 */
export function requireCalibrated(
  compared: readonly { readonly system: HornSystem | 'handel'; readonly uncalibrated: readonly Topic[] }[],
): void {
  const found = compared.find(({ uncalibrated }) => !isCalibrated(uncalibrated));
  if (found === undefined) return;
  const topics = found.uncalibrated.filter((topic) => topic !== 'global');
  throw new UsageError(
    `${found.system}: the ${topics.join(' and the ')} topic is overloaded, and the losses on this topic are not calibrated; make verifications faster (--machine, --batch, --verify-ms), or use --uncalibrated to compare anyway`,
  );
}
