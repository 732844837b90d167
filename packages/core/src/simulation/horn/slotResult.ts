import { keysUs, verificationUs } from '../../horn/costs/verification.ts';
import { HornTopic } from '../../horn/node.ts';
import { version } from '../../version.ts';
import { spread } from '../metrics.ts';
import type { Spread } from '../result.ts';
import { type Ledger, type LostVotes, lostVotes } from './ledger.ts';
import type { SlotMode } from './slot.ts';
import type { SlotScenario } from './slotScenario.ts';
import type { SlotWorld } from './slotWorld.ts';

/** Traffic of all topics of one kind in one slot. */
export interface TopicTraffic {
  readonly topics: number;
  /** Live members of one topic, on average. */
  readonly members: number;
  /** Published, each once: what the post counts. */
  readonly messages: number;
  readonly bytes: number;
  /** Copies that went over links, and their bytes. */
  readonly copies: number;
  readonly copiedBytes: number;
  /** What one member receives of its topic on average, copies included. */
  readonly memberMessages: number;
  readonly memberBytes: number;
  /** The same over the whole slot, and in its busiest second; bytes a second. */
  readonly sustainedBytes: number;
  readonly burstBytes: number;
  /** From publication until a member has verified the message, over messages and members; 0 where there were none. */
  readonly delayMs: { readonly mean: number; readonly p95: number };
}

/** Mean over the live nodes. */
export interface NodeMean {
  readonly mean: number;
}

/** What a slot came to. Where a name is one of a run of Handel's, it means the same. Times are from the start of the slot. */
export interface SlotResult {
  readonly scenario: SlotScenario;
  readonly mode: SlotMode;
  readonly seed: number;
  readonly version: string;
  readonly digest: string;
  readonly nodes: number;
  readonly live: number;
  /** Live full nodes that come to know of the threshold's share of the votes, even after the slot; from the share of those watched. */
  readonly reached: number;
  /** Full nodes that were watched, each of which verifies all that is on the global topic. */
  readonly watched: number;
  /** Over the watched nodes that reached it; zeros when none did. */
  readonly timeToThresholdMs: Spread;
  /** When the threshold's share of the votes was in the next block's reach: verified by its proposer. Null for never. */
  readonly blockReachMs: number | null;
  /** When the next block is made. */
  readonly slotEndMs: number;
  readonly votes: {
    readonly cast: number;
    /** In the proposer's reach at the end of the slot. */
    readonly inReach: number;
    readonly lost: LostVotes;
  };
  readonly messagesSent: NodeMean;
  readonly messagesReceived: NodeMean;
  readonly bytesSent: NodeMean;
  readonly topics: { readonly subnet: TopicTraffic; readonly committee: TopicTraffic; readonly global: TopicTraffic };
  /** Seconds on one core to verify all that is on the global topic: in all as the scenario says, and the parts that it can be made of. */
  readonly verificationSeconds: {
    readonly total: number;
    readonly signatures: number;
    readonly keysNaive: number;
    readonly keysSubtracting: number;
  };
}

export function slotResult(scenario: SlotScenario, mode: SlotMode, world: SlotWorld, ledger: Ledger): SlotResult {
  const { live, alive, clock, threshold } = world;
  const topics = traffic(world, ledger);
  const kinds = Object.values(topics);
  const sum = (value: (of: TopicTraffic) => number): number => kinds.reduce((total, of) => total + value(of), 0);
  const copies = sum((of) => of.copies) / live;
  const inTime = ledger.reachUs.reduce((count, us) => count + (us !== -1 && us <= clock.endUs ? 1 : 0), 0);
  return {
    scenario,
    mode,
    seed: scenario.seed,
    version,
    digest: ledger.digest.toString(),
    nodes: alive.length,
    live,
    reached: Math.round((live * ledger.reachedUs.length) / Math.max(1, ledger.watched)),
    watched: ledger.watched,
    timeToThresholdMs: spread(ledger.reachedUs, () => true, 0.001),
    blockReachMs: nthMs(ledger.reachUs, threshold),
    slotEndMs: clock.endUs / 1000,
    votes: {
      cast: ledger.castUs.reduce((count, us) => count + (us === -1 ? 0 : 1), 0),
      inReach: inTime,
      lost: lostVotes(ledger, world),
    },
    // Every copy that is sent arrives.
    messagesSent: { mean: copies },
    messagesReceived: { mean: copies },
    bytesSent: { mean: sum((of) => of.copiedBytes) / live },
    topics,
    verificationSeconds: verificationSeconds(scenario, world, ledger),
  };
}

function traffic(world: SlotWorld, ledger: Ledger): SlotResult['topics'] {
  const { voters, alive, live, subcommittee, committee, collects, clock, bytes } = world;
  let liveVoters = 0;
  for (let place = 0; place < voters; place++) liveVoters += alive[place]!;
  const of = (topic: HornTopic, topics: number, members: number, length: number): TopicTraffic => {
    const { published, copies, pace, delay } = ledger.topic(topic);
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
    subnet: of(HornTopic.subnet, subnets, liveVoters / subnets, bytes.vote),
    committee: of(HornTopic.committee, committees, collects ? liveVoters / committees : 0, bytes.aggregate),
    global: of(HornTopic.global, 1, live, globalBytes),
  };
}

function verificationSeconds(
  scenario: SlotScenario,
  world: SlotWorld,
  ledger: Ledger,
): SlotResult['verificationSeconds'] {
  const sets = ledger.globalSets(world);
  const { globalMembers } = world;
  let total = 0;
  let keysNaive = 0;
  let keysSubtracting = 0;
  for (let set = 0; set < sets.count; set++) {
    const weight = sets.weight(set);
    total += verificationUs(globalMembers, weight, scenario);
    keysNaive += keysUs(globalMembers, weight, 'naive', scenario.additionNs);
    keysSubtracting += keysUs(globalMembers, weight, 'subtracting', scenario.additionNs);
  }
  const signatures = (sets.count * scenario.verifyMs) / 1000;
  return { total: total / 1e6, signatures, keysNaive: keysNaive / 1e6, keysSubtracting: keysSubtracting / 1e6 };
}

/** The n-th of the times, from the first; null where there are not so many. */
function nthMs(timesUs: Int32Array, n: number): number | null {
  const sorted = timesUs.filter((us) => us !== -1).sort();
  return sorted.length < n ? null : sorted[n - 1]! / 1000;
}
