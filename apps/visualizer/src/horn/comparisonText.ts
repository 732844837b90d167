import { type HornSystem, slotClock } from '@tutti/core/horn';
import type { SlotResult } from '@tutti/ethereum';
import type { CommitteeRun } from '@tutti/lab';
import { count, percent } from '../formatNumber.ts';
import type { Chapter } from '../guide/chapter.ts';
import { countsAt, type FieldLane, type SlotLane } from './slotFile.ts';
import { seconds, systemNames } from './words.ts';

/** Text under one of the fields. */
interface LaneWords {
  /**
   * Share of the slot's votes that are in reach at this time, or in the next block once it is built. For Handel, the
   * share of nodes that have finished.
   */
  readonly share: string;
  readonly block: string;
  readonly now: string;
}

export function laneTitle(lane: FieldLane): string {
  if ('title' in lane) return lane.title;
  return 'result' in lane ? systemNames[lane.result.scenario.system] : handelTitle;
}

export const handelTitle = 'Handel on one committee';

export function laneWords(lane: SlotLane | CommitteeRun, timeUs: number): LaneWords {
  return 'result' in lane ? slotWords(lane, timeUs) : committeeWords(lane, timeUs);
}

function at(stepUs: number, timeUs: number): string {
  return `At ${(Math.floor(timeUs / stepUs) * (stepUs / 1e6)).toFixed(1)}\u00a0s`;
}

function committeeWords({ live, reached, doneMs, steps }: CommitteeRun, timeUs: number): LaneWords {
  const [, , done] = countsAt(steps, timeUs);
  return {
    share: percent(Math.min(done, reached), live),
    block: `of its nodes hold 99\u00a0% of its votes; last: ${seconds(doneMs * 1000)}`,
    now: `${at(steps.stepUs, timeUs)}: ${count(done)} of ${count(live)} nodes hold 99\u00a0% of the votes. No collectors.`,
  };
}

function slotWords({ result, steps }: SlotLane, timeUs: number): LaneWords {
  const { votes, slotEndMs, scenario } = result;
  const [cast, seen, reach] = countsAt(steps, timeUs);
  const isOver = timeUs >= slotEndMs * 1000;
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
    scenario.system === 'status-quo' ? ` 1/${scenario.parameters.committees} of the validators vote in this slot.` : '';
  const eve = shareOfEve(result);
  const withEve = eve === 0 ? '' : `; Eve: ${percent(eve, 1)}`;
  return {
    share: percent(isOver ? votes.inReach : reach, votes.cast),
    block: isOver
      ? `in reach at ${slotEndMs / 1000}\u00a0s, at its block proposal${late > 0 ? `; ${percent(reach, votes.cast)} now` : ''}${withEve}`
      : `in reach now; next block at ${slotEndMs / 1000}\u00a0s${withEve}`,
    now: `${at(steps.stepUs, timeUs)}: ${count(reach)} of ${count(votes.cast)} votes in reach${tail}${few}`,
  };
}

/** Returns the chapters of all three systems together. */
export function threeChapters(lanes: readonly SlotLane[]): readonly Chapter[] {
  const lane = (system: HornSystem) => lanes.find(({ result }) => result.scenario.system === system)!;
  const [statusQuo, strawman, horn] = [lane('status-quo').result, lane('strawman').result, lane('horn').result];
  const { parameters } = horn.scenario;
  const clock = slotClock('horn', parameters);
  const share = ({ votes }: typeof horn) => percent(votes.inReach, votes.cast);
  const whole = (us: number) => `${us / 1e6}\u00a0s`;
  const eve = shareOfEve(horn);
  const missing = strawman.votes.cast - strawman.votes.inReach;
  // Number of the strawman's votes at the time of Horn's block, on the same clock.
  const [, , late] = countsAt(lane('strawman').steps, clock.endUs);
  const megabytes = ({ topics }: typeof horn) => `${(topics.global.bytes / 1e6).toFixed(1)}\u00a0MB`;
  return [
    {
      timeUs: 0,
      title: 'The block',
      text: `${count(parameters.validators)} [[validator|validators]], one slot, three systems. Today, one of ${parameters.committees} [[committee|committees]] votes per slot. In the strawman, all committees vote. Horn adds an aggregation round.`,
    },
    {
      timeUs: clock.attestUs,
      title: 'Votes',
      text: `The validators vote: ${count(statusQuo.votes.cast)} in the status quo, ${count(horn.votes.cast)} in the other two systems. In each [[subcommittee]], a few [[aggregator|aggregators]] verify the votes.`,
    },
    {
      timeUs: clock.aggregateUs,
      title: 'Aggregates',
      text: `The status quo and the strawman send every [[aggregate]] to the [[global topic]]: ${count(statusQuo.topics.global.messages)} and ${count(strawman.topics.global.messages)} messages. Every full node verifies them. In Horn, aggregates stay within their committee.`,
    },
    {
      timeUs: clock.collectUs,
      title: 'Next block, today',
      text: `At ${whole(clock.collectUs)}, the status quo and the strawman propose the next block. The strawman has ${share(strawman)} of its ${count(strawman.votes.cast)} votes in reach; ${missing === 0 ? 'no vote is missing' : `${count(missing)} votes wait for verification`}. Horn now sends its ${count(horn.topics.global.messages)} [[collection|collections]]. Its slot has ${whole(clock.endUs - clock.collectUs)} left.`,
    },
    {
      timeUs: clock.endUs,
      title: 'Next block, Horn',
      text: `At ${whole(clock.endUs)}, Horn proposes its block with ${share(horn)} of ${count(horn.votes.cast)} votes in reach${eve === 0 ? '' : `, because Eve has ${percent(eve, 1)} of the validators`}. The strawman had ${share(strawman)} at its proposal and has ${percent(late, strawman.votes.cast)} now. Horn reduces the load: ${count(horn.topics.global.messages)} messages (${megabytes(horn)}) on the [[global topic]] instead of the strawman’s ${count(strawman.topics.global.messages)} (${megabytes(strawman)}). In return, its slot is ${whole(clock.endUs - clock.collectUs)} longer.`,
    },
  ];
}

/** Returns the chapter for the time at which Handel's committee has finished. */
export function handelChapter({ live, reached, doneMs, bytesSent }: CommitteeRun): Chapter {
  const last = seconds(doneMs * 1000);
  return {
    timeUs: Math.round(doneMs * 1000),
    title: 'Handel',
    text:
      reached === live
        ? `At ${last}, each of the ${count(live)} nodes of one [[committee]] holds 99\u00a0% of its votes. Each node sent ${(bytesSent / 1000).toFixed(0)}\u00a0kB. Handel requires nodes that can reach one another directly.`
        : `At ${last}, ${count(reached)} of the ${count(live)} honest nodes of the committee hold 99\u00a0% of its votes. The other nodes never reach this share.`,
  };
}

/** Returns Eve's share of the validators. */
function shareOfEve({ scenario }: SlotResult): number {
  return scenario.attacks.reduce((sum, one) => sum + one.share, 0);
}

/** Returns the number of honest votes that Eve's aggregators and collectors kept out. */
export function lostToEve({ votes: { lost } }: SlotResult): number {
  return lost.hostileAggregators + lost.hostileCollectors + lost.outweighed;
}

/** Describes Eve's effect on each system. */
export function eveWords(lanes: readonly SlotLane[], committee: CommitteeRun | undefined): string {
  const horn = lanes.find(({ result }) => result.scenario.system === 'horn')!.result;
  const { votes, scenario } = horn;
  const share = shareOfEve(horn);
  const lost = lostToEve(horn);
  const others = lanes.filter(({ result }) => result !== horn);
  const spared = others.every(({ result }) => lostToEve(result) === 0);
  const hers =
    share === 0
      ? `Without Eve, Horn’s proposer has ${count(votes.inReach)} of ${count(votes.cast)} votes in reach.`
      : `Eve controls ${percent(share, 1)} of ${count(scenario.parameters.validators)} validators. She keeps ${count(lost)} of ${count(votes.cast)} honest votes (${percent(lost, votes.cast)}) out of Horn’s block.`;
  const theirs =
    share === 0
      ? ''
      : spared
        ? ' In the status quo and the strawman, she excludes no vote, because every honest aggregate reaches the proposer. A proposer controlled by Eve can omit any vote in all systems, as it can today.'
        : others
            .map(
              ({ result }) =>
                ` She keeps ${count(lostToEve(result))} out of the ${systemNames[result.scenario.system]}’s block.`,
            )
            .join('');
  if (committee === undefined) return `${hers}${theirs} Handel is still being simulated.`;
  const { live, reached, doneMs } = committee;
  const inHandel = ` With Handel, ${reached === live ? 'all' : `${count(reached)} of`} ${count(live)} ${share === 0 ? '' : 'honest '}nodes hold 99\u00a0% of the ${share === 0 ? '' : 'honest '}votes at ${seconds(doneMs * 1000)}${share === 0 ? '' : ', although Eve’s nodes send invalid contributions'}.`;
  return `${hers}${theirs}${inHandel}`;
}
