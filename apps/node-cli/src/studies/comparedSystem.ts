import type { HornParameters, HornSystem } from '@tutti/core/horn';
import { partOf } from '@tutti/core/input';
import type { LostVotes, SlotResult } from '@tutti/ethereum';
import { createSimulation, defaultScenario, fitLine, type RunResult } from '@tutti/simulation';
import { breathe, type Context } from '../context.ts';
import { Progress } from '../output/progress.ts';
import { counted, grouped } from '../output/text.ts';

/** Traffic on all topics of one kind, and traffic of one member of such a topic. */
interface ComparedTopic {
  /** Number of topics of this kind. */
  readonly topics: number;
  /** Number of distinct messages. */
  readonly messages: number;
  readonly bytes: number;
  readonly memberMessages: number;
  readonly memberBytes: number;
  /** Mean byte rate over the whole slot, bytes/s. */
  readonly sustainedBytes: number;
  /** Byte rate in the busiest second, bytes/s. */
  readonly burstBytes: number | null;
}

/** Figures of one system; null for figures that the system lacks. */
export interface ComparedSystem {
  readonly system: HornSystem | 'handel';
  readonly machine: string;
  readonly network: string;
  /** Origin of the figures: simulated, or extrapolated from smaller sizes with the fitted growth law. */
  readonly origin: 'simulated' | 'extrapolated';
  /** Number of live validators whose votes are aggregated in the slot. */
  readonly voters: number;
  /** Overloaded topics, see `SlotResult.uncalibrated`. */
  readonly uncalibrated: SlotResult['uncalibrated'];
  /**
   * Time from the start of the slot until the threshold's share of the votes is in reach for the next block, ms; null
   * if that never happens. For Handel, null if some simulated nodes do not reach the threshold.
   */
  readonly reachMs: number | null;
  readonly slotEndMs: number | null;
  /** Share of the cast votes that are in reach at the end of the slot, percent. */
  readonly inReachPercent: number | null;
  /**
   * Share of the cast votes lost because of late or missing aggregators or collectors, percent. Handel has no
   * aggregators or collectors, so it loses no votes if all nodes reach the threshold; null if some nodes do not.
   */
  readonly lostPercent: number | null;
  /** Numbers of lost votes by cause; null for Handel. */
  readonly lost: LostVotes | null;
  /** Number of distinct messages on the global topic, and the total length of these messages in bytes. */
  readonly globalMessages: number | null;
  readonly globalBytes: number | null;
  /** Traffic by kind of topic. Handel has only the messages between its nodes, with one receiver each. */
  readonly topics: Readonly<Record<string, ComparedTopic>>;
  /** Number of messages that a voting validator receives in the slot, including copies. */
  readonly receivedMessages: number;
  readonly receivedBytes: number;
  /** Byte rate of the received messages over the whole slot, bytes/s; for Handel, over a slot of today's length. */
  readonly sustainedBytes: number;
  /**
   * Byte rate on the busiest topic in its busiest second, bytes/s. For Handel: all bytes of the run, if all nodes reach
   * the threshold within a second.
   */
  readonly burstBytes: number | null;
  /** Time to verify all messages on the global topic, s; for Handel, all contributions that a node verifies. */
  readonly verificationSeconds: number;
}

/**
 * Quality of the fits with which Handel is extrapolated. Time grows with log N, and the
 * numbers of messages and verifications grow with log^2 N (v1.03 section 4.1). A message mainly consists of signatures
 * and codes of full sets, whose lengths grow with log N. With many dead nodes, sets are not full, and the lengths of
 * bitfields grow with N. The extrapolation uses the better of the two fits.
 */
export interface Growth {
  readonly timeR2: number;
  readonly messagesR2: number;
  readonly messageBytesWith: string;
  readonly messageBytesR2: number;
}

/** Figures of a system without the machine and the network, which all systems share. */
type SystemFigures = Omit<ComparedSystem, 'machine' | 'network'>;

/**
 * Returns Handel's figures: those of the simulated committee, and those for all voters of a slot according to the
 * fitted laws.
 *
 * @param runs runs with at least two sizes, the largest last.
 */
export function handelOf(
  runs: readonly RunResult[],
  { slotSeconds, rounds }: HornParameters,
  checkMs: number,
  { nodes, dead }: Pick<HandelWorld, 'nodes' | 'dead'>,
): { readonly run: SystemFigures; readonly extrapolated: SystemFigures; readonly growth: Growth } {
  const attestMs = (1000 * slotSeconds) / rounds;
  const largest = runs.at(-1)!;
  const seconds = ({ checked }: RunResult): number => (checked.mean * checkMs) / 1000;
  const fit = (value: (run: RunResult) => number, power: number) =>
    fitLine(runs.map((run) => [Math.log2(run.nodes) ** power, value(run)] as const));
  const time = fit((run) => run.timeToThresholdMs.mean, 1);
  const slowest = fit((run) => run.timeToThresholdMs.max, 1);
  const messages = fit((run) => run.messagesSent.mean, 2);
  const lengths = (against: (nodes: number) => number) =>
    fitLine(runs.map((run) => [against(run.nodes), run.bytesSent.mean / run.messagesSent.mean] as const));
  const [withLog, withN] = [lengths(Math.log2), lengths((count) => count)];
  const lengthsGrowWithLog = withLog.r2 >= withN.r2;
  const log = Math.log2(nodes);
  const isReached = largest.reached === largest.live;
  const lostPercent = isReached ? 0 : null;
  const sent = messages.at(log ** 2);
  const length = lengthsGrowWithLog ? withLog.at(log) : withN.at(nodes);
  return {
    run: {
      ...ofHandel({
        voters: largest.live,
        memberMessages: largest.messagesSent.mean,
        memberBytes: largest.bytesSent.mean,
        slotSeconds,
        endMs: isReached ? largest.timeToThresholdMs.max : null,
      }),
      origin: 'simulated',
      reachMs: isReached ? attestMs + largest.timeToThresholdMs.mean : null,
      lostPercent,
      verificationSeconds: seconds(largest),
    },
    extrapolated: {
      ...ofHandel({
        voters: nodes - partOf(nodes, dead),
        memberMessages: sent,
        memberBytes: sent * length,
        slotSeconds,
        endMs: isReached ? slowest.at(log) : null,
      }),
      origin: 'extrapolated',
      reachMs: isReached ? attestMs + time.at(log) : null,
      lostPercent,
      verificationSeconds: fit(seconds, 2).at(log ** 2),
    },
    growth: {
      timeR2: time.r2,
      messagesR2: messages.r2,
      messageBytesWith: lengthsGrowWithLog ? 'log N' : 'N',
      messageBytesR2: Math.max(withLog.r2, withN.r2),
    },
  };
}

/** Traffic of Handel's nodes in a slot. */
interface HandelTraffic {
  readonly voters: number;
  /**
   * Number of messages that each node sends. Every sent message counts as received, even if it arrives after the run.
   */
  readonly memberMessages: number;
  /** Total length of these messages, bytes. */
  readonly memberBytes: number;
  readonly slotSeconds: number;
  /** Time at which the last node reaches the threshold, ms; null if some nodes do not. */
  readonly endMs: number | null;
}

/** Returns Handel's figures that result from its traffic. */
function ofHandel({
  voters,
  memberMessages,
  memberBytes,
  slotSeconds,
  endMs,
}: HandelTraffic): Omit<SystemFigures, 'origin' | 'reachMs' | 'lostPercent' | 'verificationSeconds'> {
  const sustainedBytes = memberBytes / slotSeconds;
  const burstBytes = endMs !== null && endMs <= 1000 ? memberBytes : null;
  return {
    system: 'handel',
    voters,
    uncalibrated: [],
    slotEndMs: null,
    inReachPercent: null,
    lost: null,
    globalMessages: null,
    globalBytes: null,
    receivedMessages: memberMessages,
    receivedBytes: memberBytes,
    sustainedBytes,
    burstBytes,
    topics: {
      direct: {
        topics: 1,
        messages: voters * memberMessages,
        bytes: voters * memberBytes,
        memberMessages,
        memberBytes,
        sustainedBytes,
        burstBytes,
      },
    },
  };
}

/** Returns the figures of a system's slot. */
export function ofSlot(result: SlotResult, system: HornSystem): SystemFigures {
  const { topics, votes } = result;
  const kinds = Object.values(topics);
  return {
    system,
    origin: 'simulated',
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

/**
 * Returns the number of votes lost by aggregators or collectors. Votes lost through lateness on the global topic are
 * not included.
 */
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

/** Simulates Handel on standard machines, like the validators of a slot. */
export async function runHandel(world: HandelWorld, context: Context): Promise<RunResult> {
  const progress = new Progress(context);
  const simulation = createSimulation({ ...defaultScenario, ...world, cpu: { ...defaultScenario.cpu, spread: 1 } });
  try {
    while (simulation.advance(65_536)) {
      await breathe(context);
      progress.update(() => `running Handel among ${grouped(world.nodes)}: ${counted(simulation.events, 'event')}`);
    }
  } finally {
    progress.done();
  }
  return simulation.result();
}
