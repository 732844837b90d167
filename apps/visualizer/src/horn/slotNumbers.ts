import type { TableLine } from '../state/tableFile.ts';
import { countUntil } from './fieldSlot.ts';
import { votesOfPlaces } from './moment.ts';
import type { SlotLane } from './slotFile.ts';
import type { SlotIndex } from './slotIndex.ts';

/** Yields rows of all voting subcommittees with the states of their votes at the moment. */
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

/** Yields rows of the slot in steps of 0.1 s: votes, and the global topic. */
export function* chartNumbers({ sorted, topic, spanUs }: SlotIndex): Generator<TableLine> {
  yield ['time_seconds', 'cast', 'with_an_aggregator', 'in_reach', 'messages_sent', 'messages_verified'];
  for (let timeUs = 0; timeUs <= spanUs; timeUs += chartStepUs) {
    const counted = [sorted.castUs, sorted.seenUs, sorted.reachUs, topic.sentUs, topic.verifiedUs];
    yield [timeUs / 1e6, ...counted.map((times) => countUntil(times, timeUs))];
  }
}

/** Yields rows of the systems side by side, by step. */
export function* lanesNumbers(lanes: readonly SlotLane[]): Generator<TableLine> {
  yield ['time_seconds', 'system', 'cast', 'with_an_aggregator', 'in_reach'];
  for (const { result, steps } of lanes) {
    const [cast, seen, reach] = steps.counts;
    for (const [step, votes] of cast!.entries())
      yield [(step * steps.stepUs) / 1e6, result.scenario.system, votes, seen![step]!, reach![step]!];
  }
}
