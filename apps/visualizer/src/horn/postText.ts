import { thresholdText } from '@tutti/core';
import { hornAttackNamed, type SlotResult } from '@tutti/ethereum';
import { count, megabytes, percent, seconds, uncapital } from '../formatNumber.ts';
import type { Chapter } from '../guide/chapter.ts';
import type { Mark } from '../player/dock.ts';
import type { PlayerContent } from '../player/player.ts';
import { upperBound } from '../timeline/heldSteps.ts';
import { phases } from './clockView.ts';
import { lostToEve } from './fieldSlot.ts';
import type { SlotIndex } from './slotIndex.ts';

/** Number of points in the track's curve. */
const trackPoints = 240;

/** Returns the player's content for a slot. The curve is the share of the honest votes in reach. */
export function contentOf(index: SlotIndex): PlayerContent {
  const { clock, topic, spanUs, sorted } = index;
  const curve = Array.from({ length: trackPoints + 1 }, (_, step) => {
    const share = step / trackPoints;
    return [share, upperBound(sorted.reachUs, share * spanUs) / Math.max(1, sorted.castUs.length)] as const;
  });
  // The first phase begins at 0 and needs no mark.
  const rounds = phases(index).slice(1);
  const marks = [
    ...rounds.map(({ fromUs, name }): Mark => ({ timeUs: fromUs, label: name, kind: 'level' })),
    { timeUs: clock.endUs, label: 'next block', kind: 'level' } as const,
  ];
  const moments = new Set([...marks.map(({ timeUs }) => timeUs), ...topic.verifiedUs.filter((us) => us <= spanUs)]);
  return {
    track: { spanUs, curve },
    chapters: slotChapters(index),
    marks,
    stepsUs: Float64Array.from(moments).sort(),
  };
}

/** Describes the result of a slot. */
export function outcomeWords({ result, blockReachUs }: SlotIndex): string {
  const { inReach, cast } = result.votes;
  const share = thresholdText(result.scenario.threshold);
  const words =
    blockReachUs === undefined
      ? `The proposer never verified ${share} of the votes.`
      : `The proposer had verified ${share} of the votes after ${seconds(blockReachUs)}.`;
  return `${words} At the end of the slot, it had verified ${percent(inReach, cast)}.`;
}

/** Explains how to read the clock of the slot. */
export function clockWords({ result, clock, blockReachUs }: SlotIndex): string {
  const share = thresholdText(result.scenario.threshold).replace(' ', '\u00a0');
  const round = 'One revolution is one slot.';
  if (blockReachUs === undefined) return `${round} The proposer never verifies ${share} of the votes.`;
  if (blockReachUs > clock.endUs)
    return `${round} The proposer verifies ${share} of the votes only after the end of the slot.`;
  return `${round} The gold mark is the time at which the proposer has verified ${share} of the votes.`;
}

/** Returns the chapters of a slot, in order of time. */
export function slotChapters(index: SlotIndex): readonly Chapter[] {
  const { result, clock, blockReachUs } = index;
  const { system, threshold } = result.scenario;
  const all: Chapter[] = [
    { timeUs: 0, title: 'The block', text: blockText(index) },
    { timeUs: clock.attestUs, title: 'Votes', text: votesText(index) },
    { timeUs: clock.aggregateUs, title: 'Aggregates', text: aggregatesText(index) },
  ];
  if (system === 'horn') all.push({ timeUs: clock.collectUs, title: 'Collections', text: collectionsText(index) });
  if (blockReachUs !== undefined) {
    const share = thresholdText(threshold);
    all.push({
      timeUs: blockReachUs,
      title: `${share} verified`,
      text: `The [[proposer]] has verified ${share} of the honest votes, ${seconds(blockReachUs)} after the start of the slot. ${timeLeft(blockReachUs, clock.endUs)}`,
    });
  }
  all.push({ timeUs: clock.endUs, title: 'Next block', text: endText(index) });
  return all.toSorted((a, b) => a.timeUs - b.timeUs);
}

function blockText({ result, clock, votingCommittees, committee, subcommittee }: SlotIndex): string {
  const { parameters, system, dead } = result.scenario;
  const split = `${count(committee / subcommittee)} [[subcommittee|subcommittees]] of ${count(subcommittee)}`;
  const who =
    system === 'status-quo'
      ? `There are ${count(parameters.validators)} [[validator|validators]]. One of ${parameters.committees} [[committee|committees]] votes in this slot. It has ${split}.`
      : `All ${count(parameters.validators)} [[validator|validators]] vote in this slot, in ${count(votingCommittees)} [[committee|committees]], each with ${split}.`;
  const absent = dead === 0 ? '' : ` ${percent(dead, 1)} of the validators are offline.`;
  return `The slot starts with a block, which has ${clock.attestUs / 1e6} s to propagate. ${who}${absent}${eveAim(result)}`;
}

function eveAim({ scenario }: SlotResult): string {
  const [attack] = scenario.attacks;
  if (!attack) return '';
  const { aim } = hornAttackNamed(attack.name)!;
  return ` Eve controls ${percent(attack.share, 1)} of the validators and ${uncapital(aim)}`;
}

function votesText({ result }: SlotIndex): string {
  return `${count(result.topics.subnet.messages)} votes are sent, each on the subnet of its [[subcommittee]]. About ${result.scenario.parameters.aggregators} [[aggregator|aggregators]] per subnet verify the votes one at a time. Aggregators elect themselves, and other nodes do not yet know which validators were elected.`;
}

function aggregatesText({ result, clock, aggregates: sent }: SlotIndex): string {
  const { system } = result.scenario;
  const said = `${count(sent.group.length)} [[aggregate|aggregates]]`;
  if (system === 'horn')
    return `${said}, one from each aggregator, go to the topics of their [[committee|committees]]. Other committees do not receive these aggregates, because no aggregate goes to the [[global topic]].`;
  const { total } = result.verificationSeconds;
  const much = total > clock.endUs / 1e6 ? ', which is longer than the slot' : '';
  return `${said}, one from each aggregator, go directly to the [[global topic]]. Every full node receives all of the aggregates and needs ${total.toFixed(1)} s on one core to verify them${much}.`;
}

function collectionsText({ result }: SlotIndex): string {
  const { messages, bytes } = result.topics.global;
  return `In each committee, about ${result.scenario.parameters.collectors} [[collector|collectors]] merge the heaviest aggregate from every subcommittee. The [[global topic]] carries only their ${count(messages)} [[collection|collections]] (${megabytes(bytes)} MB). A node needs ${result.verificationSeconds.total.toFixed(1)} s on one core to verify these collections.`;
}

function timeLeft(atUs: number, endUs: number): string {
  if (atUs > endUs)
    return `That is ${seconds(atUs - endUs)} too late: the next block was proposed at ${seconds(endUs)} with the votes that had arrived.`;
  return `${seconds(endUs - atUs)} remain until the next block.`;
}

function endText({ result, clock }: SlotIndex): string {
  const { cast, inReach, lost, byzantine } = result.votes;
  const block = `At ${seconds(clock.endUs)}, the next block is proposed. Its proposer has verified ${count(inReach)} of ${count(cast)} honest votes (${percent(inReach, cast)}).`;
  if (result.scenario.attacks.length === 0) return block;
  const toEve = lostToEve(result);
  const hers = `The proposer has also verified ${count(byzantine.inReach)} of Eve’s ${count(byzantine.voters)} votes.`;
  return `${block} ${hers} Eve excludes ${count(toEve)} honest votes, ${count(lost.outweighed)} of them by [[griefing]].`;
}
