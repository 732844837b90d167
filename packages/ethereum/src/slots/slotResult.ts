import { version } from '@tutti/core';
import { HornTopic } from '@tutti/core/horn';
import type { RunEnd, Spread } from '@tutti/simulation';
import { spread } from '@tutti/simulation/engine';
import { keysUs, verificationUs } from '../horn/costs.ts';
import { type LostVotes, losses, lostVotes } from './lostVotes.ts';
import { type SentSet, type SlotLog, type SlotTopic, slotTopics } from './slotLog.ts';
import type { SlotScenario } from './slotScenario.ts';
import type { SlotWorld } from './slotWorld.ts';

/** Simulation modes of a slot: a sample, or every message. */
export const slotModes = ['statistical', 'messages'] as const;
/** Name of one of {@link slotModes}. */
export type SlotMode = (typeof slotModes)[number];

/** Traffic of all topics of one kind in one slot. */
export interface TopicTraffic {
  readonly topics: number;
  /** Mean number of present members per topic, including Eve's. */
  readonly members: number;
  /** Number of messages published, each counted once, as in the post. */
  readonly messages: number;
  readonly bytes: number;
  /** Number of copies sent over links. */
  readonly copies: number;
  /** Total length of the copies, bytes. */
  readonly copiedBytes: number;
  /** Mean number of messages that one member receives on its topic, including copies. */
  readonly memberMessages: number;
  readonly memberBytes: number;
  /** Mean byte rate of one member over the whole slot, bytes/s. */
  readonly sustainedBytes: number;
  /** Byte rate of one member in the busiest second, bytes/s. Each second begins at a multiple of 0.25 s. */
  readonly burstBytes: number;
  /**
   * Delay from publication until a member has verified the message, over messages and members, ms; 0 without messages.
   */
  readonly delayMs: { readonly mean: number; readonly p95: number };
}

/** Mean over the nodes that are present. */
export interface NodeMean {
  readonly mean: number;
}

/**
 * Result of a slot. Fields with the same name as in a result of Handel have the same meaning. Times count from the
 * start of the slot.
 */
export interface SlotResult {
  readonly scenario: SlotScenario;
  readonly mode: SlotMode;
  readonly seed: number;
  readonly version: string;
  readonly digest: string;
  /** Number of validators, including dead ones and Eve's. */
  readonly nodes: number;
  /** Number of live honest validators. */
  readonly live: number;
  /**
   * Number of live full nodes that eventually know the threshold's share of the votes, even after the slot. The number
   * is estimated from the observed nodes.
   */
  readonly reached: number;
  /**
   * State of the run: `reached` if all live nodes reach the threshold, `silent` if the slot is over and some live nodes
   * never reach it, and `running` before that.
   */
  readonly ended: RunEnd;
  /** Number of observed full nodes. Each observed node verifies all messages on the global topic. */
  readonly watched: number;
  /** Time to the threshold over the observed nodes that reached it, ms; zeros if no node reached it. */
  readonly timeToThresholdMs: Spread;
  /**
   * Time at which the proposer of the next block has verified the threshold's share of the votes, ms. Null if the
   * proposer never has this share.
   */
  readonly blockReachMs: number | null;
  /** Time at which the next block is built, ms. */
  readonly slotEndMs: number;
  /** Counts of honest votes; the last field counts Eve's. */
  readonly votes: {
    readonly cast: number;
    /** Number of votes in the proposer's reach at the end of the slot. */
    readonly inReach: number;
    readonly lost: LostVotes;
    /**
     * Number of Eve's validators that could vote, number that voted on a subnet, and number whose votes came into reach
     * in any way.
     */
    readonly byzantine: { readonly voters: number; readonly cast: number; readonly inReach: number };
  };
  /**
   * Sampled topics in which most members are still verifying when the topic's messages are due. The losses of these
   * topics were not compared with whole slots, except for the global topic if it is the only one
   * (docs/research/horn/slot-simulation.md). Empty if every message was simulated.
   */
  readonly uncalibrated: readonly SlotTopic[];
  readonly messagesSent: NodeMean;
  readonly messagesReceived: NodeMean;
  readonly bytesSent: NodeMean;
  /** Number of verifications. */
  readonly checked: NodeMean;
  readonly messagesDelivered: number;
  readonly topics: Readonly<Record<SlotTopic, TopicTraffic>>;
  /**
   * Time on one core to verify all messages on the global topic, s: in total with the scenario's costs, and by part.
   */
  readonly verificationSeconds: {
    readonly total: number;
    readonly signatures: number;
    readonly keysNaive: number;
    readonly keysSubtracting: number;
  };
}

/** Returns the result of a slot that has ended, or its result so far. */
export function slotResult(
  scenario: SlotScenario,
  mode: SlotMode,
  world: SlotWorld,
  log: SlotLog,
  isOver: boolean,
): SlotResult {
  const { live, alive, presentCount, clock, threshold } = world;
  const topics = traffic(world, log);
  const kinds = Object.values(topics);
  const sum = (value: (of: TopicTraffic) => number): number => kinds.reduce((total, of) => total + value(of), 0);
  const copies = sum((of) => of.copies);
  const checked = log.topics.reduce((total, tally) => total + tally.checked, 0);
  const reached = Math.round((live * log.reachedUs.length) / Math.max(1, log.watched));
  return {
    scenario,
    mode,
    seed: scenario.seed,
    version,
    digest: log.digest.toString(),
    nodes: alive.length,
    live,
    reached,
    ended: !isOver ? 'running' : reached === live ? 'reached' : 'silent',
    watched: log.watched,
    timeToThresholdMs: spread(log.reachedUs, () => true, 0.001),
    blockReachMs: nthMs(log.reachUs, alive, threshold),
    slotEndMs: clock.endUs / 1000,
    votes: votes(scenario, world, log),
    uncalibrated: slotTopics.filter((name) => log.overloadedTopics.has(HornTopic[name])),
    // Every copy that is sent arrives.
    messagesSent: { mean: copies / presentCount },
    messagesReceived: { mean: copies / presentCount },
    bytesSent: { mean: sum((of) => of.copiedBytes) / presentCount },
    checked: { mean: checked / presentCount },
    messagesDelivered: copies,
    topics,
    verificationSeconds: verificationSeconds(scenario, world, log),
  };
}

function votes(scenario: SlotScenario, world: SlotWorld, log: SlotLog): SlotResult['votes'] {
  const { attack, clock, voters } = world;
  const honest = { cast: 0, inReach: 0 };
  const byzantine = { voters: 0, cast: 0, inReach: 0 };
  for (let place = 0; place < voters; place++) {
    if (attack[place] !== -1) byzantine.voters++;
    const counts = attack[place] !== -1 ? byzantine : honest;
    const reachUs = log.reachUs[place]!;
    if (log.castUs[place] !== -1) counts.cast++;
    if (reachUs !== -1 && reachUs <= clock.endUs) counts.inReach++;
  }
  return { ...honest, lost: lostVotes(losses(scenario, world, log)), byzantine };
}

function traffic(world: SlotWorld, log: SlotLog): SlotResult['topics'] {
  const { voters, presentVoters, presentCount, subcommittee, committee, collects, clock, bytes } = world;
  const of = (topic: HornTopic, topics: number, members: number, length: number): TopicTraffic => {
    const { published, copies, verified, delays } = log.topics[topic];
    const memberMessages = members === 0 ? 0 : copies / (members * topics);
    const memberBytes = memberMessages * length;
    return {
      topics,
      members,
      messages: published,
      bytes: published * length,
      copies,
      copiedBytes: copies * length,
      memberMessages,
      memberBytes,
      sustainedBytes: memberBytes / (clock.endUs / 1e6),
      burstBytes: memberBytes * verified.maxShare(4),
      delayMs: { mean: delays.meanMs, p95: delays.percentileMs(95) },
    };
  };
  const subnets = voters / subcommittee;
  const committees = collects ? voters / committee : 0;
  const globalBytes = collects ? bytes.collection : bytes.aggregate;
  return {
    subnet: of(HornTopic.subnet, subnets, presentVoters / subnets, bytes.vote),
    committee: of(HornTopic.committee, committees, collects ? presentVoters / committees : 0, bytes.aggregate),
    global: of(HornTopic.global, 1, presentCount, globalBytes),
  };
}

function verificationSeconds(
  scenario: SlotScenario,
  { globalMembers }: SlotWorld,
  log: SlotLog,
): SlotResult['verificationSeconds'] {
  const sets = log.globalSets;
  let total = 0;
  let keysNaive = 0;
  let keysSubtracting = 0;
  for (const { weight } of sets.map(({ set }) => set)) {
    total += verificationUs(globalMembers, weight, scenario);
    keysNaive += keysUs(globalMembers, weight, 'naive', scenario.additionNs);
    keysSubtracting += keysUs(globalMembers, weight, 'subtracting', scenario.additionNs);
  }
  const signatures = (sets.length * scenario.verifyMs) / 1000;
  return { total: total / 1e6, signatures, keysNaive: keysNaive / 1e6, keysSubtracting: keysSubtracting / 1e6 };
}

/** Returns the n-th of the marked times in ascending order, in ms, or null if there are fewer than n times. */
function nthMs(timesUs: Int32Array, marks: Uint8Array, n: number): number | null {
  const sorted = new Int32Array(timesUs.length);
  let count = 0;
  for (let place = 0; place < timesUs.length; place++) {
    if (timesUs[place] !== -1 && marks[place] === 1) sorted[count++] = timesUs[place]!;
  }
  return count < n ? null : sorted.subarray(0, count).sort()[n - 1]! / 1000;
}

/** Aggregates or collections in order of publication, in columns. */
export interface RecordedSets {
  /** Place of the sender. */
  readonly author: Int32Array;
  readonly sentUs: Int32Array;
  /** Flag of each set: 1 if the sender is Byzantine. */
  readonly byzantine: Uint8Array;
}

/**
 * A slot in flat columns for a view: votes by place, so that a committee is a range, and the proposer's verified sets
 * of the global topic. Times are µs since the start of the slot; -1 stands for never.
 */
export interface SlotRecording {
  readonly result: SlotResult;
  readonly committee: number;
  readonly subcommittee: number;
  /**
   * Index of the scenario's attack in which the validator at each place takes part; -1 for honest and dead validators.
   */
  readonly attack: Int8Array;
  /** Time at which each voter cast its vote; -1 if Eve withheld it from the subnet. */
  readonly castUs: Int32Array;
  /** Time at which the first honest aggregator verified each vote. */
  readonly seenUs: Int32Array;
  /** Time at which each vote came into the proposer's reach. */
  readonly reachUs: Int32Array;
  /** Cause of loss of each honest vote, an index into `lossNames`; -1 if it was not lost. */
  readonly lostTo: Int8Array;
  readonly aggregates: RecordedSets;
  readonly collections: RecordedSets;
  /**
   * Numbers of the verified sets with their verification times, in order. The sets are collections if there are any,
   * otherwise aggregates.
   */
  readonly arrivals: { readonly set: Int32Array; readonly atUs: Int32Array };
}

/** Returns the recording of a slot, as copies of the log's columns. */
export function slotRecording(result: SlotResult, world: SlotWorld, log: SlotLog): SlotRecording {
  const columns = (sets: readonly SentSet[]): RecordedSets => ({
    author: Int32Array.from(sets, ({ place }) => place),
    sentUs: Int32Array.from(sets, ({ set }) => set.sentUs),
    byzantine: Uint8Array.from(sets, ({ place }) => (world.attack[place] === -1 ? 0 : 1)),
  });
  return {
    result,
    committee: world.committee,
    subcommittee: world.subcommittee,
    attack: world.attack.slice(),
    castUs: log.castUs.slice(),
    seenUs: log.seenUs.slice(),
    reachUs: log.reachUs.slice(),
    lostTo: losses(result.scenario, world, log),
    aggregates: columns(log.aggregates),
    collections: columns(log.collections),
    arrivals: {
      set: Int32Array.from(log.arrivals, ({ set }) => set),
      atUs: Int32Array.from(log.arrivals, ({ atUs }) => atUs),
    },
  };
}
