import { neverUs, slotClock } from '@tutti/core/horn';
import { lossNames, type SlotRecording, type SlotResult, type SlotSteps, slotSteps } from '@tutti/ethereum';
import type { TableLine } from '../files.ts';
import { upperBound } from '../timeline/heldSteps.ts';
import { evesCauses, type FieldSlot, type SentSets, VoterRole, votesOfPlaces } from './fieldSlot.ts';
import { pageSteps, type SlotLane } from './slotFile.ts';

/** Indices of the causes of loss for which Eve is responsible. */
const evesLosses: ReadonlySet<number> = new Set(evesCauses.map((cause) => lossNames.indexOf(cause)));

/** Events on the global topic, in order of time. */
export interface GlobalTopic {
  /** Mean size of a message, bytes. */
  readonly messageBytes: number;
  readonly sentUs: Int32Array;
  /** Times at which the proposer had verified the topic's messages, µs. */
  readonly verifiedUs: Int32Array;
  /** Flag for each message of `verifiedUs`: 1 if Eve sent the message. */
  readonly verifiedByzantine: Uint8Array;
}

/**
 * Slot with all data derived from it, so that any moment can be drawn immediately. The worker that simulates the slot
 * creates the data and transfers them to the page, so the data contain no functions.
 */
export interface SlotIndex extends FieldSlot {
  readonly result: SlotResult;
  /** Time at which the threshold's share of the votes is in reach, µs; undefined if that never happens. */
  readonly blockReachUs: number | undefined;
  readonly aggregates: SentSets;
  readonly collections: SentSets;
  readonly topic: GlobalTopic;
  /** Summary of the slot for comparison with other slots. */
  readonly steps: SlotSteps;
  /** Range of the time axes, µs: the slot, or longer until no more votes come into reach. */
  readonly spanUs: number;
}

/** Derives the data for drawing a recorded slot. */
export function slotIndex(recording: SlotRecording): SlotIndex {
  const { result, committee, subcommittee, castUs, seenUs, reachUs, aggregates, collections } = recording;
  const { system, parameters } = result.scenario;
  const clock = slotClock(system, parameters);
  const roles = rolesOf(recording);
  const timesBy = (of: (column: Int32Array) => Int32Array) => ({
    castUs: of(castUs),
    seenUs: of(seenUs),
    reachUs: of(reachUs),
  });
  const sorted = timesBy((column) =>
    column.filter((us, place) => us !== -1 && roles[place] !== VoterRole.byzantine).sort(),
  );
  return {
    result,
    clock,
    blockReachUs: result.blockReachMs === null ? undefined : Math.round(result.blockReachMs * 1000),
    votingCommittees: roles.length / committee,
    committee,
    subcommittee,
    times: timesBy((column) => column.map((us) => (us === -1 ? neverUs : us))),
    roles,
    sorted,
    aggregates: sentSets(aggregates, subcommittee),
    collections: sentSets(collections, committee),
    topic: globalTopic(recording),
    steps: slotSteps(recording, pageSteps.stepUs, pageSteps.steps),
    spanUs: Math.max(clock.endUs, sorted.reachUs.at(-1) ?? 0),
  };
}

/** Returns the {@link VoterRole} at each place. */
function rolesOf({ attack, castUs, lostTo }: SlotRecording): Uint8Array {
  return Uint8Array.from(castUs, (us, place) => {
    if (attack[place] !== -1) return VoterRole.byzantine;
    if (us === -1) return VoterRole.absent;
    return evesLosses.has(lostTo[place]!) ? VoterRole.lostToEve : VoterRole.honest;
  });
}

function globalTopic({ result, aggregates, collections, arrivals }: SlotRecording): GlobalTopic {
  const { sentUs, byzantine } = result.scenario.system === 'horn' ? collections : aggregates;
  const { messages, bytes } = result.topics.global;
  return {
    messageBytes: messages === 0 ? 0 : bytes / messages,
    sentUs: sentUs.toSorted(),
    verifiedUs: arrivals.atUs,
    verifiedByzantine: Uint8Array.from(arrivals.set, (set) => byzantine[set]!),
  };
}

function sentSets({ author, sentUs, byzantine }: SlotRecording['aggregates'], members: number): SentSets {
  return { group: author.map((place) => Math.floor(place / members)), sentUs, byzantine };
}

/** Yields a title row, then one row per voting subcommittee with the numbers of votes by state at a given moment. */
export function* fieldNumbers(index: SlotIndex, timeUs: number): Generator<TableLine> {
  yield ['committee', 'subcommittee', 'honest_voters', 'cast', 'with_an_aggregator', 'in_reach'];
  const { committee, subcommittee, roles } = index;
  for (let from = 0; from < roles.length; from += subcommittee) {
    const { voters, cast, seen, reach } = votesOfPlaces(index, from, from + subcommittee, timeUs)!;
    const within = (from % committee) / subcommittee;
    yield [Math.floor(from / committee), within, voters, cast, seen, reach];
  }
}

const chartStepUs = 100_000;

/** Yields a title row, then one row per 0.1 s with the numbers of votes and of messages on the global topic. */
export function* chartNumbers({ sorted, topic, spanUs }: SlotIndex): Generator<TableLine> {
  yield ['time_seconds', 'cast', 'with_an_aggregator', 'in_reach', 'messages_sent', 'messages_verified'];
  for (let timeUs = 0; timeUs <= spanUs; timeUs += chartStepUs) {
    const counted = [sorted.castUs, sorted.seenUs, sorted.reachUs, topic.sentUs, topic.verifiedUs];
    yield [timeUs / 1e6, ...counted.map((times) => upperBound(times, timeUs))];
  }
}

/** Yields a title row, then one row per system and step with the number of votes in each state. */
export function* lanesNumbers(lanes: readonly SlotLane[]): Generator<TableLine> {
  yield ['time_seconds', 'system', 'cast', 'with_an_aggregator', 'in_reach'];
  for (const { result, steps } of lanes) {
    const [cast, seen, reach] = steps.counts;
    for (const [step, votes] of cast!.entries())
      yield [(step * steps.stepUs) / 1e6, result.scenario.system, votes, seen![step]!, reach![step]!];
  }
}
