import { type HornSystem, slotClock } from '@tutti/core/horn';
import type { SlotResult } from '@tutti/ethereum';
import { count, percent, seconds } from '../formatNumber.ts';
import type { Chapter } from '../guide/chapter.ts';
import { lostToEve } from './fieldSlot.ts';
import { systemNames } from './slotChoice.ts';
import { type CommitteeLane, countsAt, type FieldLane, type SlotLane } from './slotFile.ts';

/** Texts under the field of a lane. */
interface LaneWords {
  /**
   * Share of the slot's votes that are in reach at the given time, or that are in the next block after it has been
   * built. For Handel, this is the share of nodes that have finished.
   */
  readonly share: string;
  /** Text after the share: the meaning of the share, and the time of the block or of the last node. */
  readonly block: string;
  /** Numbers of votes or of nodes at the given time. */
  readonly now: string;
}

/** Returns the title of a field. */
export function laneTitle(lane: FieldLane): string {
  if ('title' in lane) return lane.title;
  return 'result' in lane ? systemNames[lane.result.scenario.system] : `Handel on ${count(lane.scenario.nodes)} nodes`;
}

/** Title of Handel's field while the number of nodes is unknown. */
export const handelTitle = 'Handel on one committee';

/** Returns the texts under the field of a lane at a time. */
export function laneWords(lane: SlotLane | CommitteeLane, timeUs: number): LaneWords {
  return 'result' in lane ? slotWords(lane, timeUs) : committeeWords(lane, timeUs);
}

/** Describes the step that contains a time. */
function stepWords(stepUs: number, timeUs: number): string {
  return `At ${(Math.floor(timeUs / stepUs) * (stepUs / 1e6)).toFixed(1)}\u00a0s`;
}

function committeeWords(lane: CommitteeLane, timeUs: number): LaneWords {
  const { live, reached, doneMs, steps } = lane;
  const [, , done] = countsAt(steps, timeUs);
  const last = reached === 0 ? '' : `; last: ${seconds(doneMs * 1000)}`;
  return {
    share: percent(Math.min(done, reached), live),
    block: `of ${nodesWords(lane)} hold 99\u00a0%${last}`,
    now: `${stepWords(steps.stepUs, timeUs)}, ${count(done)} of ${count(live)} nodes hold 99\u00a0% of the votes. Handel has no collectors.`,
  };
}

/**
 * Describes the number of live nodes of a committee. If some nodes are Byzantine, the text describes the honest nodes.
 */
function nodesWords({ live, scenario }: CommitteeLane): string {
  return `${count(live)}${scenario.attacks.length > 0 ? ' honest' : ''} nodes`;
}

/** Describes the nodes of a committee that have finished. */
function finishedWords(lane: CommitteeLane): string {
  return `${lane.reached === lane.live ? 'all' : `${count(lane.reached)} of`} ${nodesWords(lane)}`;
}

/** Returns the lane of a system. */
function laneOf(lanes: readonly SlotLane[], system: HornSystem): SlotLane {
  return lanes.find(({ result }) => result.scenario.system === system)!;
}

function slotWords({ result, steps }: SlotLane, timeUs: number): LaneWords {
  const { votes, slotEndMs, scenario } = result;
  const [cast, seen, reach] = countsAt(steps, timeUs);
  const isOver = timeUs >= slotEndMs * 1000;
  const late = timeUs > slotEndMs * 1000 ? reach - votes.inReach : 0;
  let tail = '';
  if (late > 0) tail = `, ${count(late)} of them too late for its block`;
  else if (reach === 0 && cast > 0)
    tail = seen === votes.cast ? '; aggregators have verified all votes' : `; ${count(cast)} votes have been cast`;
  const few =
    scenario.system === 'status-quo' ? ` One of ${scenario.parameters.committees} committees votes in this slot.` : '';
  const eve = shareOfEve(result);
  const withEve = eve === 0 ? '' : `; Eve: ${percent(eve, 1)}`;
  const endSeconds = slotEndMs / 1000;
  return {
    share: percent(isOver ? votes.inReach : reach, votes.cast),
    block: isOver
      ? `verified by the proposer in ${endSeconds}\u00a0s${late > 0 ? `; ${percent(reach, votes.cast)} now` : ''}${withEve}`
      : `verified by the proposer; block at ${endSeconds}\u00a0s${withEve}`,
    now: `${stepWords(steps.stepUs, timeUs)}, the proposer has verified ${count(reach)} of ${count(votes.cast)} votes${tail}.${few}`,
  };
}

/** Returns the chapters about the three systems together, in order of time. */
export function threeChapters(lanes: readonly SlotLane[]): readonly Chapter[] {
  const { result: statusQuo } = laneOf(lanes, 'status-quo');
  const { result: strawman, steps } = laneOf(lanes, 'strawman');
  const { result: horn } = laneOf(lanes, 'horn');
  const { parameters } = horn.scenario;
  const clock = slotClock('horn', parameters);
  const share = ({ votes }: SlotResult) => percent(votes.inReach, votes.cast);
  const whole = (us: number) => `${us / 1e6}\u00a0s`;
  const missing = strawman.votes.cast - strawman.votes.inReach;
  // Number of the strawman's votes in reach at the time of Horn's block, on the same clock.
  const [, , late] = countsAt(steps, clock.endUs);
  const load = ({ topics }: SlotResult) => `${(topics.global.bytes / 1e6).toFixed(1)}\u00a0MB`;
  return [
    {
      timeUs: 0,
      title: 'The block',
      text: `Three systems process the same slot of ${count(parameters.validators)} [[validator|validators]]. Today, one of ${parameters.committees} [[committee|committees]] votes per slot. In the strawman, all committees vote. Horn adds an aggregation round.`,
    },
    {
      timeUs: clock.attestUs,
      title: 'Votes',
      text: `In the status quo, ${count(statusQuo.votes.cast)} validators vote; in the other two systems, ${count(horn.votes.cast)} vote. In each [[subcommittee]], a few [[aggregator|aggregators]] verify the votes.`,
    },
    {
      timeUs: clock.aggregateUs,
      title: 'Aggregates',
      text: `The status quo and the strawman send every [[aggregate]] to the [[global topic]]: ${count(statusQuo.topics.global.messages)} and ${count(strawman.topics.global.messages)} messages, respectively. Every full node verifies all of these messages. In Horn, aggregates stay within their committee.`,
    },
    {
      timeUs: clock.collectUs,
      title: 'Next block, today',
      text: `At ${whole(clock.collectUs)}, the status quo and the strawman propose the next block. The strawman’s proposer has verified ${share(strawman)} of ${count(strawman.votes.cast)} votes; ${missing === 0 ? 'no vote is missing' : `${count(missing)} votes still await verification`}. Horn now sends its ${count(horn.topics.global.messages)} [[collection|collections]]. Horn’s slot has ${whole(clock.endUs - clock.collectUs)} left.`,
    },
    {
      timeUs: clock.endUs,
      title: 'Next block, Horn',
      text: `At ${whole(clock.endUs)}, Horn’s block is proposed. The proposer has verified ${share(horn)} of ${count(horn.votes.cast)} votes${lostToEve(horn) === 0 ? '' : `, because Eve has ${percent(shareOfEve(horn), 1)} of the validators`}. The strawman’s proposer had verified ${share(strawman)} of the votes in time, and has now verified ${percent(late, strawman.votes.cast)}. Horn sends only ${count(horn.topics.global.messages)} messages (${load(horn)}) to the [[global topic]], compared with ${count(strawman.topics.global.messages)} (${load(strawman)}) in the strawman. In return, Horn’s slot is ${whole(clock.endUs - clock.collectUs)} longer.`,
    },
  ];
}

/** Returns the chapter about the time at which Handel's committee has finished. */
export function handelChapter(lane: CommitteeLane): Chapter {
  const { live, reached, doneMs, bytesSent } = lane;
  const last = seconds(doneMs * 1000);
  const nodes = nodesWords(lane);
  return {
    timeUs: Math.round(doneMs * 1000),
    title: 'Handel',
    text:
      reached === live
        ? `At ${last}, each of the ${nodes} in one [[committee]] holds 99\u00a0% of its votes. ${committeeSize(lane)} Each node sent ${(bytesSent / 1000).toFixed(0)}\u00a0kB. Handel requires nodes that can reach one another directly.`
        : `At ${last}, ${count(reached)} of the ${nodes} in one [[committee]] hold 99\u00a0% of its votes. ${committeeSize(lane)} The other nodes never reach this share.`,
  };
}

/** Returns Eve's share of the validators of a slot. */
function shareOfEve({ scenario }: SlotResult): number {
  return scenario.attacks.reduce((sum, one) => sum + one.share, 0);
}

/** Describes how many validators of a slot's committee run Handel in the simulation. */
function committeeSize({ scenario: { nodes }, validators }: CommitteeLane): string {
  return nodes < validators
    ? `To keep the simulation short, only ${count(nodes)} of the committee’s ${count(validators)} validators run Handel.`
    : `The committee has ${count(nodes)} validators.`;
}

/** Describes the committee that runs Handel in a slot, and the time at which its nodes have finished. */
export function committeeRunWords({ scenario }: SlotResult, lane: CommitteeLane | undefined): string {
  if (lane === undefined) return 'Handel is still being simulated.';
  const vote = slotClock(scenario.system, scenario.parameters).attestUs / 1e6;
  return `${committeeSize(lane)} They vote at ${vote}\u00a0s. At ${seconds(lane.doneMs * 1000)}, ${finishedWords(lane)} hold 99\u00a0% of the votes.`;
}

/**
 * Describes the size of the shown slot, and the share of the strawman's votes that are in reach in time.
 *
 * @param whole number of validators of the whole slot. A slot with fewer validators is described as shortened.
 */
export function slotSizeWords(lanes: readonly SlotLane[], whole: number): string {
  const [{ result: strawman }, { result: horn }] = [laneOf(lanes, 'strawman'), laneOf(lanes, 'horn')];
  const { validators } = strawman.scenario.parameters;
  const isShort = validators < whole;
  const size = isShort
    ? `To keep the simulation short, the slot has only ${count(validators)} validators.`
    : `The slot has ${count(validators)} validators.`;
  const { inReach, cast } = strawman.votes;
  if (inReach < cast)
    return `${size} The strawman delivers ${percent(inReach, cast)} of the honest votes in time, and Horn delivers ${percent(horn.votes.inReach, horn.votes.cast)}.`;
  const also = isShort
    ? 'With so few validators, the strawman also delivers all votes in time, so Horn’s advantage is not visible.'
    : 'The strawman also delivers all votes in time, so Horn’s advantage is not visible.';
  return `${size} ${also}`;
}

/** Describes the honest votes that a block lacks although Eve has excluded none. */
function lackWords({ scenario, votes: { cast, inReach, lost } }: SlotResult): string {
  const missing = cast - inReach;
  const why = lost.lateOnGlobalTopic === missing ? ', because it has not verified them in time' : '';
  return `In the ${systemNames[scenario.system]}, the next proposer lacks ${count(missing)} of ${count(cast)} honest votes (${percent(missing, cast)})${why}`;
}

/** Describes the effect of Eve on each system, or the votes in reach in a slot without Eve. */
export function eveWords(lanes: readonly SlotLane[], committee: CommitteeLane | undefined): string {
  const { result: horn } = laneOf(lanes, 'horn');
  const { votes, scenario } = horn;
  const share = shareOfEve(horn);
  const lost = lostToEve(horn);
  const others = lanes.flatMap(({ result }) => (result === horn ? [] : [result]));
  const slots =
    share === 0
      ? `Without Eve, Horn’s proposer has verified ${count(votes.inReach)} of ${count(votes.cast)} votes.`
      : `Eve controls ${percent(share, 1)} of ${count(scenario.parameters.validators)} validators. She keeps ${count(lost)} of ${count(votes.cast)} honest votes (${percent(lost, votes.cast)}) out of Horn’s block. ${eveElsewhereWords(others)}`;
  if (committee === undefined) return `${slots} Handel is still being simulated.`;
  const [kind, although] =
    share === 0 ? ['votes', ''] : ['honest votes', ', although Eve’s nodes send invalid contributions'];
  return `${slots} ${committeeSize(committee)} With Handel, ${finishedWords(committee)} hold 99\u00a0% of the ${kind} at ${seconds(committee.doneMs * 1000)}${although}.`;
}

/** Describes Eve's effect on the slots of systems other than Horn. */
function eveElsewhereWords(others: readonly SlotResult[]): string {
  if (others.some((result) => lostToEve(result) > 0))
    return others
      .map((one) => `She keeps ${count(lostToEve(one))} votes out of the ${systemNames[one.scenario.system]}’s block.`)
      .join(' ');
  const lacking = others.filter(({ votes }) => votes.inReach < votes.cast);
  const reason =
    lacking.length === 0
      ? ', because every honest aggregate reaches the proposer in time'
      : `. ${lacking.map(lackWords).join('. ')}`;
  return `In the status quo and the strawman, she excludes no vote${reason}. In all systems, as today, a proposer that Eve controls can omit any vote.`;
}
