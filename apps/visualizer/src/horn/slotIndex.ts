import { slotClock } from '@tutti/core/horn';
import { lossNames, type SlotRecording, type SlotResult, type SlotSteps, slotSteps } from '@tutti/ethereum';
import { type FieldSlot, neverUs, VoterRole } from './fieldSlot.ts';
import { pageSteps } from './slotFile.ts';

/** Causes of loss that are due to Eve. */
const evesLosses: ReadonlySet<number> = new Set(
  (['hostileAggregators', 'hostileCollectors', 'outweighed'] as const).map((name) => lossNames.indexOf(name)),
);

/** Sent aggregates or collections, with their groups and times. */
export interface SentSets {
  /** Index of the subcommittee among all subcommittees, or index of the committee. */
  readonly group: Int32Array;
  readonly sentUs: Int32Array;
  /** Flag per set: 1 if Eve sent it. */
  readonly byzantine: Uint8Array;
}

/** Events on the global topic, in order of time. */
export interface GlobalTopic {
  readonly messageBytes: number;
  readonly sentUs: Int32Array;
  /** Times at which the proposer had verified the topic's messages, µs. */
  readonly verifiedUs: Int32Array;
  /** Flag per message of `verifiedUs`: 1 if Eve sent it. */
  readonly verifiedByzantine: Uint8Array;
}

/**
 * Slot with all derived data, so that any moment can be drawn immediately. The simulating worker creates it and
 * transfers it. It contains only numbers, texts and typed arrays.
 */
export interface SlotIndex extends FieldSlot {
  readonly result: SlotResult;
  /** Time at which the threshold's share of the votes is in reach, µs; undefined if never. */
  readonly blockReachUs: number | undefined;
  readonly aggregates: SentSets;
  readonly collections: SentSets;
  readonly topic: GlobalTopic;
  /** Summary of the slot for comparison with others. */
  readonly steps: SlotSteps;
  /** Span of the time axes, µs: the slot, or longer until no more votes come into reach. */
  readonly spanUs: number;
}

export function slotIndex(recording: SlotRecording): SlotIndex {
  const { result, committee, subcommittee, attack, lostTo, castUs, aggregates, collections, arrivals } = recording;
  const { system, parameters } = result.scenario;
  const clock = slotClock(system, parameters);
  const voters = castUs.length;
  const roles = Uint8Array.from({ length: voters }, (_, place) => {
    if (attack[place] !== -1) return VoterRole.byzantine;
    if (castUs[place] === -1) return VoterRole.absent;
    return evesLosses.has(lostTo[place]!) ? VoterRole.lostToEve : VoterRole.honest;
  });
  const times = {
    castUs: orNever(castUs),
    seenUs: orNever(recording.seenUs),
    reachUs: orNever(recording.reachUs),
  };
  const honest = (column: Int32Array) =>
    column.filter((us, place) => us !== neverUs && roles[place] !== VoterRole.byzantine).sort();
  const sorted = {
    castUs: honest(times.castUs),
    seenUs: honest(times.seenUs),
    reachUs: honest(times.reachUs),
  };
  const global = system === 'horn' ? collections : aggregates;
  const { messages, bytes } = result.topics.global;
  return {
    result,
    clock,
    blockReachUs: result.blockReachMs === null ? undefined : Math.round(result.blockReachMs * 1000),
    votingCommittees: voters / committee,
    committee,
    subcommittee,
    times,
    roles,
    sorted,
    aggregates: sentSets(aggregates, subcommittee),
    collections: sentSets(collections, committee),
    topic: {
      messageBytes: messages === 0 ? 0 : bytes / messages,
      sentUs: global.sentUs.toSorted(),
      verifiedUs: arrivals.atUs,
      verifiedByzantine: Uint8Array.from(arrivals.set, (set) => global.byzantine[set]!),
    },
    steps: slotSteps(recording, pageSteps.stepUs, pageSteps.steps),
    spanUs: Math.max(clock.endUs, sorted.reachUs.at(-1) ?? 0),
  };
}

function orNever(column: Int32Array): Int32Array {
  return column.map((us) => (us === -1 ? neverUs : us));
}

function sentSets({ author, sentUs, byzantine }: SlotRecording['aggregates'], members: number): SentSets {
  return { group: author.map((place) => Math.floor(place / members)), sentUs, byzantine };
}
