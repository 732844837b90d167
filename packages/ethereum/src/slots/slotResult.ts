import { version } from '@tutti/core';
import { HornTopic } from '@tutti/core/horn-rules';
import type { RunEnd, Spread } from '@tutti/simulation';
import { spread } from '@tutti/simulation/engine';
import { keysUs, verificationUs } from '../horn/costs.ts';
import { type LostVotes, losses, lostVotes } from './lostVotes.ts';

import type { SlotLog } from './slotLog.ts';
import type { SlotScenario } from './slotScenario.ts';
import type { SlotWorld } from './slotWorld.ts';

/** How a slot is run: a sample of it, or every message singly. */
export const slotModes = ['statistical', 'messages'] as const;
export type SlotMode = (typeof slotModes)[number];

/** Traffic of all topics of one kind in one slot. */
export interface TopicTraffic {
  readonly topics: number;
  /** Present members of one topic, on average, Eve's among them. */
  readonly members: number;
  /** Published, each once: what the post counts. */
  readonly messages: number;
  readonly bytes: number;
  /** Copies that went over links, and their bytes. */
  readonly copies: number;
  readonly copiedBytes: number;
  /** What one member receives on its topic on average, copies included. */
  readonly memberMessages: number;
  readonly memberBytes: number;
  /** The same over the whole slot, and in its busiest second; bytes a second. */
  readonly sustainedBytes: number;
  readonly burstBytes: number;
  /** From publication until a member has verified the message, over messages and members; 0 where there were none. */
  readonly delayMs: { readonly mean: number; readonly p95: number };
}

/** Mean over the nodes that are present. */
export interface NodeMean {
  readonly mean: number;
}

/** The result of a slot. Names that a result of Handel has too mean the same. Times are from the start of the slot. */
export interface SlotResult {
  readonly scenario: SlotScenario;
  readonly mode: SlotMode;
  readonly seed: number;
  readonly version: string;
  readonly digest: string;
  readonly nodes: number;
  /** Honest ones that live. */
  readonly live: number;
  /**
   * Live full nodes that come to know of the threshold's share of the votes, even after the slot; from the share of
   * those watched.
   */
  readonly reached: number;
  /** `reached` where all live nodes do, `silent` where the slot is over and some never will, `running` before. */
  readonly ended: RunEnd;
  /** Full nodes that were watched, each of which verifies all that is on the global topic. */
  readonly watched: number;
  /** Over the watched nodes that reached it; zeros when none did. */
  readonly timeToThresholdMs: Spread;
  /**
   * When the threshold's share of the votes was in the next block's reach: verified by its proposer. Null for never.
   */
  readonly blockReachMs: number | null;
  /** When the next block is made. */
  readonly slotEndMs: number;
  /** Of the honest, except for Eve's at the end. */
  readonly votes: {
    readonly cast: number;
    /** In the proposer's reach at the end of the slot. */
    readonly inReach: number;
    readonly lost: LostVotes;
    /**
     * Eve's: her validators that could vote, those that voted on a subnet, and those whose votes were in reach, however
     * they came there.
     */
    readonly byzantine: { readonly voters: number; readonly cast: number; readonly inReach: number };
  };
  /**
   * Topics of which a sample was run and most members are not done when what follows is due: what is lost there was
   * not compared with whole slots, but on the global topic where it is the only one (docs/research/horn/slot-simulation.md). Empty
   * where every message was run singly.
   */
  readonly uncalibrated: readonly ('subnet' | 'committee' | 'global')[];
  readonly messagesSent: NodeMean;
  readonly messagesReceived: NodeMean;
  readonly bytesSent: NodeMean;
  /** Messages verified. */
  readonly checked: NodeMean;
  readonly messagesDelivered: number;
  readonly topics: { readonly subnet: TopicTraffic; readonly committee: TopicTraffic; readonly global: TopicTraffic };
  /**
   * Seconds on one core to verify all that is on the global topic: in all as the scenario says, and the parts that it
   * can be made of.
   */
  readonly verificationSeconds: {
    readonly total: number;
    readonly signatures: number;
    readonly keysNaive: number;
    readonly keysSubtracting: number;
  };
}

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
    uncalibrated: (['subnet', 'committee', 'global'] as const).filter((name) =>
      log.overloadedTopics.has(HornTopic[name]),
    ),
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
  const { voters, present, presentCount, subcommittee, committee, collects, clock, bytes } = world;
  let presentVoters = 0;
  for (let place = 0; place < voters; place++) presentVoters += present[place]!;
  const of = (topic: HornTopic, topics: number, members: number, length: number): TopicTraffic => {
    const { published, copies, pace, delay } = log.topic(topic);
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
      burstBytes: memberBytes * pace.busiestShare,
      delayMs: { mean: delay.meanMs, p95: delay.percentileMs(95) },
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
  world: SlotWorld,
  log: SlotLog,
): SlotResult['verificationSeconds'] {
  const sets = log.globalSets(world);
  const { globalMembers } = world;
  let total = 0;
  let keysNaive = 0;
  let keysSubtracting = 0;
  for (const {
    set: { weight },
  } of sets) {
    total += verificationUs(globalMembers, weight, scenario);
    keysNaive += keysUs(globalMembers, weight, 'naive', scenario.additionNs);
    keysSubtracting += keysUs(globalMembers, weight, 'subtracting', scenario.additionNs);
  }
  const signatures = (sets.length * scenario.verifyMs) / 1000;
  return { total: total / 1e6, signatures, keysNaive: keysNaive / 1e6, keysSubtracting: keysSubtracting / 1e6 };
}

/** The n-th of the times of those who are marked, from the first; null where there are fewer. */
function nthMs(timesUs: Int32Array, marks: Uint8Array, n: number): number | null {
  const sorted = new Int32Array(timesUs.length);
  let count = 0;
  for (let place = 0; place < timesUs.length; place++) {
    if (timesUs[place] !== -1 && marks[place] === 1) sorted[count++] = timesUs[place]!;
  }
  return count < n ? null : sorted.subarray(0, count).sort()[n - 1]! / 1000;
}
