import { thresholdText } from '@tutti/core';
import { hornAttackNamed, type SlotResult } from '@tutti/ethereum';
import { count } from '../formatNumber.ts';
import type { Chapter } from '../guide/chapter.ts';
import { lostToEve } from './comparisonText.ts';
import type { SlotIndex } from './slotIndex.ts';
import { megabytes, percent, seconds } from './words.ts';

/** Chapters of the slot, in order of time. */
export function slotChapters(index: SlotIndex): readonly Chapter[] {
  const { result, clock, blockReachUs } = index;
  const { system, threshold } = result.scenario;
  const all: Chapter[] = [
    { timeUs: 0, title: 'The block', text: opening(index) },
    { timeUs: clock.attestUs, title: 'Votes', text: voting(index) },
    { timeUs: clock.aggregateUs, title: 'Aggregates', text: aggregates(index) },
  ];
  if (system === 'horn') all.push({ timeUs: clock.collectUs, title: 'Collections', text: collections(index) });
  if (blockReachUs !== undefined) {
    const share = thresholdText(threshold);
    all.push({
      timeUs: blockReachUs,
      title: `${share} in reach`,
      text: `${share} of the honest votes are within the [[proposer]]’s reach, ${seconds(blockReachUs)} after the slot began. ${room(blockReachUs, clock.endUs)}`,
    });
  }
  all.push({ timeUs: clock.endUs, title: 'Next block', text: ending(index) });
  return all.toSorted((a, b) => a.timeUs - b.timeUs);
}

function opening({ result, votingCommittees, committee, subcommittee }: SlotIndex): string {
  const { parameters, system, dead } = result.scenario;
  const split = `${count(committee / subcommittee)} [[subcommittee|subcommittees]] of ${count(subcommittee)}`;
  const who =
    system === 'status-quo'
      ? `Of ${count(parameters.validators)} [[validator|validators]], one [[committee]] in ${parameters.committees} votes in this slot: ${split}.`
      : `All ${count(parameters.validators)} [[validator|validators]] vote in this slot: ${count(votingCommittees)} [[committee|committees]] of ${split}.`;
  const absent = dead === 0 ? '' : ` ${percent(dead, 1)} of them are offline.`;
  return `The slot begins with its block, which has four seconds to spread. ${who}${absent}${eve(result)}`;
}

function eve({ scenario }: SlotResult): string {
  const [attack] = scenario.attacks;
  if (!attack) return '';
  const { aim } = hornAttackNamed(attack.name)!;
  return ` Eve has ${percent(attack.share, 1)} of them and ${aim.charAt(0).toLowerCase()}${aim.slice(1)}`;
}

function voting({ result }: SlotIndex): string {
  return `${count(result.topics.subnet.messages)} votes are signed, each sent on the subnet of its [[subcommittee]]. There about ${result.scenario.parameters.aggregators} [[aggregator|aggregators]], who have elected themselves and whom nobody knows yet, verify one vote after the other.`;
}

function aggregates({ result, aggregates: sent }: SlotIndex): string {
  const { system } = result.scenario;
  const said = `${count(sent.group.length)} [[aggregate|aggregates]]`;
  if (system === 'horn')
    return `${said}, one from each aggregator, go to the topics of their [[committee|committees]]. None goes to the [[global topic]]: other committees do not hear them.`;
  const { total } = result.verificationSeconds;
  const much = total > 12 ? ', which is longer than the slot' : '';
  return `${said}, one from each aggregator, go straight to the [[global topic]]. Every full node receives them all; on one core it verifies them in ${total.toFixed(1)} s${much}.`;
}

function collections({ result }: SlotIndex): string {
  const { messages, bytes } = result.topics.global;
  return `In each committee about ${result.scenario.parameters.collectors} [[collector|collectors]] join the heaviest aggregate of every subcommittee. Their ${count(messages)} [[collection|collections]], ${megabytes(bytes)} MB, are all that is sent on the [[global topic]]; on one core they are verified in ${result.verificationSeconds.total.toFixed(1)} s.`;
}

function room(atUs: number, endUs: number): string {
  if (atUs > endUs)
    return `That is ${seconds(atUs - endUs)} too late: the next block was made with what there was at ${seconds(endUs)}.`;
  return `${seconds(endUs - atUs)} are left until the next block.`;
}

function ending({ result, clock }: SlotIndex): string {
  const { cast, inReach, lost, byzantine } = result.votes;
  const block = `At ${seconds(clock.endUs)} the next block is made, with ${count(inReach)} of ${count(cast)} honest votes in its reach: ${percent(inReach, cast)}.`;
  const toEve = lostToEve(result);
  if (result.scenario.attacks.length === 0) return block;
  const hers = `So are ${count(byzantine.inReach)} of Eve’s ${count(byzantine.voters)} votes.`;
  return `${block} ${hers} ${count(toEve)} honest votes are lost to her, ${count(lost.outweighed)} of them by [[griefing]].`;
}
