import { createHash } from 'node:crypto';
import { version } from '@tutti/core';
import { type HornParameters, HornTopic, type SlotClock, slotClock } from '@tutti/core/horn';
import { toHex } from '@tutti/core/input';
import type { RegistryTransport } from '@tutti/core/registry';
import type { AttackShare, Spread } from '@tutti/simulation';
import type { HornReport, TimedMessage } from '@tutti/transports/horn';
import { Counts, type Impairment } from '@tutti/transports/raw';
import type { HornSlotOutcome } from './hornCluster.ts';
import type { HornCast } from './hornMessages.ts';
import { spreadOf } from './roundOutcome.ts';

/** What was asked for, as it stands in the document. */
export interface HornClusterScenario {
  readonly protocol: 'horn';
  readonly nodes: number;
  readonly parameters: HornParameters;
  readonly degree: number;
  readonly dead: number;
  readonly attacks: readonly AttackShare[];
  readonly slots: number;
  /** In words. */
  readonly network: string;
  readonly transport: RegistryTransport;
  readonly kernel: string;
  readonly processes: number;
  readonly impairment?: Impairment;
  readonly seed: number;
}

/** One phase of the slot: votes, aggregates or collections. Times in ms since the slot began. */
export interface HornPhase {
  readonly name: 'votes' | 'aggregates' | 'collections';
  /** When it is due, and when the next one is. */
  readonly startMs: number;
  readonly endMs: number;
  /** Messages of honest nodes. */
  readonly published: number;
  /** Times that an honest node verified one of another node. */
  readonly verified: number;
  /** From publication until a node has verified the message; 0 where there were none. */
  readonly delayMs: { readonly mean: number; readonly p95: number; readonly max: number };
  /** Of these, the share that was verified before the next phase. */
  readonly inTime: number;
  /** From the start of the phase until the last of them was verified. */
  readonly tookMs: number;
}

/** What `tutti cluster --protocol horn --json` prints; of several slots, the last. */
export interface HornClusterDocument extends HornSlotDocument {
  readonly scenario: HornClusterScenario;
  readonly version: string;
  readonly nodes: number;
  readonly verifiedBy: 'noble-curves';
  readonly wallSeconds: number;
  /** All slots, when there were several. */
  readonly slots?: readonly HornSlotDocument[];
}

/** What a slot came to. */
export interface HornSlotDocument {
  /** Of its committees, duties and meshes. */
  readonly seed: number;
  readonly message: string;
  /** 16 hexadecimal digits over the message and the block. */
  readonly digest: string;
  /** Honest nodes that live, and their validators. */
  readonly live: number;
  readonly votes: {
    /** Of honest validators that live. */
    readonly cast: number;
    readonly inBlock: number;
    /** Of those cast, the share in the block. */
    readonly share: number;
    /** Votes in the block that are not of honest validators. */
    readonly others: number;
  };
  readonly block: {
    readonly proposer: number;
    readonly collections: readonly {
      readonly committee: number;
      /** Bit b & 7 of byte b >> 3 is the key `first + b` of `publicKeys`. Hexadecimal. */
      readonly first: number;
      readonly bits: string;
      readonly signature: string;
    }[];
  };
  /** Votes that a block of each honest node would have. */
  readonly votesInReach: Spread;
  readonly phases: readonly HornPhase[];
  readonly messagesSent: Spread;
  readonly messagesReceived: Spread;
  readonly duplicates: Spread;
  readonly bytesSent: Spread;
  readonly bytesReceived: Spread;
  readonly checked: Spread;
  readonly invalid: Spread;
  /** Liars that at least one honest node ignored in the end, and honest nodes that one did. */
  readonly blacklisted: { readonly liars: number; readonly honest: number };
  /** By code, over all honest nodes. */
  readonly refused: Readonly<Record<string, number>>;
  /** Of all processes that host nodes, in the slot. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
  /** Path of a JSON file: the public keys in the order of places, hexadecimal. Null when none was written. */
  readonly publicKeys: string | null;
}

/** @param publicKeys paths of the files with the keys of each slot. */
export function hornDocument(
  scenario: HornClusterScenario,
  cast: HornCast,
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
  cast: HornCast,
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
  const inBlock = new Set(
    block.collections.flatMap(({ first, bits }) =>
      Array.from({ length: 8 * bits.length }, (_, bit) => bit)
        .filter((bit) => (bits[bit >> 3]! >> (bit & 7)) & 1)
        .map((bit) => first + bit),
    ),
  );
  const honestVotes = [...inBlock].filter((place) => isHonest(plan.nodeAt[place]!)).length;
  const castVotes = plan.nodeAt.filter(isHonest).length;
  const ignored = new Set(reports.flatMap(({ blacklisted }) => blacklisted));
  const honestIgnored = [...ignored].filter(isHonest).length;
  const refused = new Counts();
  for (const report of reports) refused.addAll(report.refused);
  const over = (measure: (report: HornReport) => number): Spread => spreadOf(reports, measure);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(message);
  return {
    seed: plan.seed,
    message: text,
    digest: createHash('sha256')
      .update(JSON.stringify([text, collections]))
      .digest('hex')
      .slice(0, 16),
    live: reports.length,
    votes: {
      cast: castVotes,
      inBlock: honestVotes,
      share: honestVotes / castVotes,
      others: inBlock.size - honestVotes,
    },
    block: { proposer, collections },
    votesInReach: over((report) => report.votesInReach),
    phases: phasesOf(reports, slotClock('horn', plan.parameters)),
    messagesSent: over((report) => report.messagesSent),
    messagesReceived: over((report) => report.messagesReceived),
    duplicates: over((report) => report.duplicates),
    bytesSent: over((report) => report.bytesSent),
    bytesReceived: over((report) => report.bytesReceived),
    checked: over((report) => report.checked),
    invalid: over((report) => report.invalid),
    blacklisted: { liars: ignored.size - honestIgnored, honest: honestIgnored },
    refused: refused.toRecord(),
    cpuSeconds: Math.round(members.reduce((sum, one) => sum + one.cpuSeconds, 0) * 1000) / 1000,
    peakRssBytes: members.reduce((sum, one) => sum + one.peakRssBytes, process.resourceUsage().maxRSS * 1024),
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
      p95: delays[Math.floor(0.95 * (delays.length - 1))] ?? 0,
      max: delays.at(-1) ?? 0,
    },
    inTime: verified.filter(({ atUs }) => atUs <= endUs).length / Math.max(1, verified.length),
    tookMs: (lastUs - startUs) / 1000,
  };
}
