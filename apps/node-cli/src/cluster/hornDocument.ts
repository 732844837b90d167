import { membersOf } from '@tutti/certificates';
import { type RegistryTransport, version } from '@tutti/core';
import { type HornParameters, HornTopic, type SlotClock, slotClock } from '@tutti/core/horn';
import { toHex } from '@tutti/core/input';
import { type AttackShare, percentile, type Spread } from '@tutti/simulation';
import { Counts, type Impairment } from '@tutti/transports';
import type { HornReport, TimedMessage } from '@tutti/transports/rooms';
import type { ClusterCast } from './cast.ts';
import { resultDigest } from './document.ts';
import type { HornSlotOutcome } from './hornCluster.ts';
import { messageText } from './multiSignature.ts';
import { processCost, spreadsOf } from './roundOutcome.ts';

/** Settings of the run, as stored in the document. */
export interface HornClusterScenario {
  readonly protocol: 'horn';
  readonly nodes: number;
  readonly parameters: HornParameters;
  readonly degree: number;
  readonly dead: number;
  readonly attacks: readonly AttackShare[];
  readonly slots: number;
  /** Description of the network in words. */
  readonly network: string;
  readonly transport: RegistryTransport;
  readonly kernel: string;
  readonly processes: number;
  readonly impairment?: Impairment;
  readonly seed: number;
}

/** One phase of the slot: votes, aggregates or collections. */
export interface HornPhase {
  readonly name: 'votes' | 'aggregates' | 'collections';
  /** Start times of this phase and of the next one, ms since the start of the slot. */
  readonly startMs: number;
  readonly endMs: number;
  /** Number of messages that honest nodes published. */
  readonly published: number;
  /** Number of verifications of the published messages by other honest nodes. */
  readonly verified: number;
  /**
   * Time from the publication of a message to the end of its verification by another node, ms; 0 without verifications.
   */
  readonly delayMs: { readonly mean: number; readonly p95: number; readonly max: number };
  /** Share of the verifications that ended before the next phase began. Range 0 to 1. */
  readonly inTime: number;
  /** Time from the start of the phase to the end of the last verification, ms. */
  readonly tookMs: number;
}

/**
 * Output of `tutti cluster --protocol horn --json`. With several slots, the fields of the document describe the last
 * slot.
 */
export interface HornClusterDocument extends HornSlotDocument {
  readonly scenario: HornClusterScenario;
  readonly version: string;
  readonly nodes: number;
  readonly verifiedBy: 'noble-curves';
  readonly wallSeconds: number;
  /** Results of all slots; only if there were several. */
  readonly slots?: readonly HornSlotDocument[];
}

/** Result of one slot. */
export interface HornSlotDocument {
  /** Seed of the slot's committees, duties and meshes. */
  readonly seed: number;
  readonly message: string;
  /** Digest of the message and the block, 16 hexadecimal digits. */
  readonly digest: string;
  /** Number of live honest nodes. */
  readonly live: number;
  readonly votes: {
    /** Number of votes of live honest validators. */
    readonly cast: number;
    /** Number of votes in the block from honest validators. */
    readonly inBlock: number;
    /** Share of the cast votes that the block contains. Range 0 to 1. */
    readonly share: number;
    /** Number of votes in the block from Byzantine validators. */
    readonly others: number;
  };
  readonly block: {
    readonly proposer: number;
    readonly collections: readonly {
      readonly committee: number;
      /** Index in `publicKeys` of the committee's first key. */
      readonly first: number;
      /** Voters, hexadecimal: bit b & 7 of byte b >> 3 is set if key `first + b` of `publicKeys` voted. */
      readonly bits: string;
      readonly signature: string;
    }[];
  };
  /**
   * Minimum, mean and maximum over the honest nodes of the number of votes in the block that the node would propose.
   */
  readonly votesInReach: Spread;
  readonly phases: readonly HornPhase[];
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly duplicates: Spread;
  readonly bytesSent: Spread;
  readonly bytesReceived: Spread;
  readonly checked: Spread;
  readonly invalid: Spread;
  /** Numbers of Byzantine and of honest nodes that at least one honest node ignored at the end of the slot. */
  readonly blacklisted: { readonly liars: number; readonly honest: number };
  /** Number of refusals by code, over all honest nodes. */
  readonly refused: Readonly<Record<string, number>>;
  /** CPU time during the slot of all processes that host nodes, seconds. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  /** Path of a JSON file with the public keys, hexadecimal, in the order of places. Null if no file was written. */
  readonly publicKeys: string | null;
}

/**
 * Returns the document of a run.
 *
 * @param publicKeys paths of the files with the keys, one per slot; undefined if no files were written.
 */
export function hornDocument(
  scenario: HornClusterScenario,
  cast: ClusterCast,
  outcomes: readonly HornSlotOutcome[],
  publicKeys: readonly string[] | undefined,
  wallSeconds: number,
): HornClusterDocument {
  const slots = outcomes.map((outcome, index) => slotDocument(cast, outcome, publicKeys?.[index]));
  return {
    scenario,
    version,
    nodes: scenario.nodes,
    ...slots.at(-1)!,
    verifiedBy: 'noble-curves',
    wallSeconds,
    ...(slots.length > 1 && { slots }),
  };
}

function slotDocument(
  cast: ClusterCast,
  { plan, message, proposer, block, members }: HornSlotOutcome,
  publicKeys: string | undefined,
): HornSlotDocument {
  const isHonest = (node: number): boolean => node < cast.honest;
  const all = members.flatMap(({ reports }) => reports);
  const reports = all.filter(({ node }) => isHonest(node));
  const collections = block.collections.map((one) => ({
    ...one,
    bits: toHex(one.bits),
    signature: toHex(one.signature),
  }));
  const inBlock = new Set(block.collections.flatMap(({ first, bits }) => membersOf(bits).map((bit) => first + bit)));
  const honestVotes = [...inBlock].filter((place) => isHonest(plan.nodeAt[place]!)).length;
  const castVotes = plan.nodeAt.filter(isHonest).length;
  const ignored = new Set(reports.flatMap(({ blacklisted }) => blacklisted));
  const honestIgnored = [...ignored].filter(isHonest).length;
  const refused = new Counts();
  for (const report of reports) refused.addAll(report.refused);
  const text = messageText(message);
  return {
    seed: plan.seed,
    message: text,
    digest: resultDigest([text, collections]),
    live: reports.length,
    votes: {
      cast: castVotes,
      inBlock: honestVotes,
      share: honestVotes / castVotes,
      others: inBlock.size - honestVotes,
    },
    block: { proposer, collections },
    ...spreadsOf(reports, ['votesInReach']),
    phases: phasesOf(reports, slotClock('horn', plan.parameters)),
    ...spreadsOf(reports, ['messagesSent', 'messagesReceived', 'duplicates', 'bytesSent', 'bytesReceived']),
    ...spreadsOf(reports, ['checked', 'invalid']),
    blacklisted: { liars: ignored.size - honestIgnored, honest: honestIgnored },
    refused: refused.toRecord(),
    ...processCost(members),
    publicKeys: publicKeys ?? null,
  };
}

function phasesOf(reports: readonly HornReport[], clock: SlotClock): HornPhase[] {
  const { attestUs, aggregateUs, collectUs, endUs } = clock;
  return [
    phaseOf('votes', HornTopic.subnet, attestUs, aggregateUs, reports),
    phaseOf('aggregates', HornTopic.committee, aggregateUs, collectUs, reports),
    phaseOf('collections', HornTopic.global, collectUs, endUs, reports),
  ];
}

function phaseOf(
  name: HornPhase['name'],
  topic: HornTopic,
  startUs: number,
  endUs: number,
  reports: readonly HornReport[],
): HornPhase {
  const ofTopic = (messages: readonly TimedMessage[]) => messages.filter((one) => one.topic === topic);
  const sentUs = new Map(
    reports.flatMap(({ published }) => ofTopic(published).map(({ author, atUs }) => [author, atUs] as const)),
  );
  const verified = reports.flatMap((report) => ofTopic(report.verified)).filter(({ author }) => sentUs.has(author));
  const delays = Float64Array.from(verified, ({ author, atUs }) => (atUs - sentUs.get(author)!) / 1000).sort();
  const lastUs = verified.reduce((last, { atUs }) => Math.max(last, atUs), startUs);
  return {
    name,
    startMs: startUs / 1000,
    endMs: endUs / 1000,
    published: sentUs.size,
    verified: verified.length,
    delayMs: {
      mean: delays.reduce((sum, one) => sum + one, 0) / Math.max(1, delays.length),
      p95: percentile(delays, 0.95) ?? 0,
      max: delays.at(-1) ?? 0,
    },
    inTime: verified.filter(({ atUs }) => atUs <= endUs).length / Math.max(1, verified.length),
    tookMs: (lastUs - startUs) / 1000,
  };
}
