import { type HornSystem, slotClock } from '@tutti/core/horn';
import type { Chapter } from '../guide/chapters.ts';
import { count } from '../words.ts';
import { countsAt, type SlotLane } from './slotFile.ts';
import { percent } from './words.ts';

/** What stands under one of the three fields. */
export interface LaneWords {
  /** Of the votes cast, in reach of the next block. */
  readonly share: string;
  readonly block: string;
  readonly now: string;
}

export function laneWords({ result, steps }: SlotLane, timeUs: number): LaneWords {
  const { votes, slotEndMs, scenario } = result;
  const [cast, seen, reach] = countsAt(steps, timeUs);
  const at = `At ${(Math.floor(timeUs / steps.stepUs) * (steps.stepUs / 1e6)).toFixed(1)}\u00a0s`;
  const late = timeUs > slotEndMs * 1000 ? reach - votes.inReach : 0;
  const tail =
    late > 0
      ? `, ${count(late)} of them too late for its block.`
      : reach === 0 && cast > 0
        ? seen === votes.cast
          ? ', all with an aggregator.'
          : `, ${count(cast)} cast.`
        : '.';
  const few =
    scenario.system === 'status-quo' ? ` 1 validator in ${scenario.parameters.committees} votes in this slot.` : '';
  return {
    share: percent(votes.inReach, votes.cast),
    block: `in reach of the next block, at ${slotEndMs / 1000}\u00a0s`,
    now: `${at}: ${count(reach)} of ${count(votes.cast)} votes in reach${tail}${few}`,
  };
}

/** The three told at once. */
export function threeChapters(lanes: readonly SlotLane[]): readonly Chapter[] {
  const lane = (system: HornSystem) => lanes.find(({ result }) => result.scenario.system === system)!;
  const [statusQuo, strawman, horn] = [lane('status-quo').result, lane('strawman').result, lane('horn').result];
  const { parameters } = horn.scenario;
  const clock = slotClock('horn', parameters);
  const share = ({ votes }: typeof horn) => percent(votes.inReach, votes.cast);
  const seconds = (us: number) => `${us / 1e6}\u00a0s`;
  const missing = strawman.votes.cast - strawman.votes.inReach;
  return [
    {
      timeUs: 0,
      title: 'The block',
      text: `${count(parameters.validators)} [[validator|validators]], one slot, three ways to collect their votes. Today one [[committee]] in ${parameters.committees} votes; the strawman lets all of them vote and changes nothing else; Horn adds a round.`,
    },
    {
      timeUs: clock.attestUs,
      title: 'Votes',
      text: `Everyone whose turn it is votes: ${count(statusQuo.votes.cast)} with the status quo, ${count(horn.votes.cast)} with the others. In each [[subcommittee]] some [[aggregator|aggregators]] verify them.`,
    },
    {
      timeUs: clock.aggregateUs,
      title: 'Aggregates',
      text: `Status quo and strawman send every [[aggregate]] to the [[global topic]]: ${count(statusQuo.topics.global.messages)} and ${count(strawman.topics.global.messages)} messages, which every full node verifies. Horn keeps them within their committees.`,
    },
    {
      timeUs: clock.collectUs,
      title: 'Next block, today',
      text: `At ${seconds(clock.collectUs)} status quo and strawman make the next block. The strawman has ${share(strawman)} of its votes in reach; ${missing === 0 ? 'none is missing' : `${count(missing)} wait to be verified`}. Horn only now sends its ${count(horn.topics.global.messages)} [[collection|collections]], and its slot has ${seconds(clock.endUs - clock.collectUs)} left.`,
    },
    {
      timeUs: clock.endUs,
      title: 'Next block, Horn',
      text: `At ${seconds(clock.endUs)} Horn makes its block, with ${share(horn)} of ${count(horn.votes.cast)} votes in reach. Its slot is ${seconds(clock.endUs - clock.collectUs)} longer, which is its price.`,
    },
  ];
}
