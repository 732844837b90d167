import { thresholdText } from '@tutti/core';
import { hornAttackNamed, type SlotResult } from '@tutti/ethereum';
import { count, percent } from '../formatNumber.ts';
import type { Chapter } from '../guide/guide.ts';
import { lostToEve } from './comparisonText.ts';
import type { SlotIndex } from './slotIndex.ts';
import { megabytes, seconds } from './words.ts';

/** Returns the chapters of the slot, in order of time. */
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
      text: `${share} of the honest votes are in reach of the [[proposer]], ${seconds(blockReachUs)} after the start of the slot. ${room(blockReachUs, clock.endUs)}`,
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
      ? `There are ${count(parameters.validators)} [[validator|validators]]. One of ${parameters.committees} [[committee|committees]] votes in this slot: ${split}.`
      : `All ${count(parameters.validators)} [[validator|validators]] vote in this slot: ${count(votingCommittees)} [[committee|committees]] of ${split}.`;
  const absent = dead === 0 ? '' : ` ${percent(dead, 1)} of the validators are offline.`;
  return `The slot starts with its block, which can propagate for four seconds. ${who}${absent}${eve(result)}`;
}

function eve({ scenario }: SlotResult): string {
  const [attack] = scenario.attacks;
  if (!attack) return '';
  const { aim } = hornAttackNamed(attack.name)!;
  return ` Eve controls ${percent(attack.share, 1)} of the validators and ${aim.charAt(0).toLowerCase()}${aim.slice(1)}`;
}

function voting({ result }: SlotIndex): string {
  return `${count(result.topics.subnet.messages)} votes are sent, each on the subnet of its [[subcommittee]]. About ${result.scenario.parameters.aggregators} [[aggregator|aggregators]] per subnet verify the votes one at a time. Aggregators elect themselves, and other nodes do not know them yet.`;
}

function aggregates({ result, aggregates: sent }: SlotIndex): string {
  const { system } = result.scenario;
  const said = `${count(sent.group.length)} [[aggregate|aggregates]]`;
  if (system === 'horn')
    return `${said}, one from each aggregator, go to the topics of their [[committee|committees]]. Other committees do not receive them: no aggregate goes to the [[global topic]].`;
  const { total } = result.verificationSeconds;
  const much = total > 12 ? ', which is longer than the slot' : '';
  return `${said}, one from each aggregator, go directly to the [[global topic]]. Every full node receives all of them and needs ${total.toFixed(1)} s on one core to verify them${much}.`;
}

function collections({ result }: SlotIndex): string {
  const { messages, bytes } = result.topics.global;
  return `In each committee, about ${result.scenario.parameters.collectors} [[collector|collectors]] merge the heaviest aggregate of every subcommittee. The [[global topic]] carries only their ${count(messages)} [[collection|collections]] (${megabytes(bytes)} MB). A node needs ${result.verificationSeconds.total.toFixed(1)} s on one core to verify them.`;
}

function room(atUs: number, endUs: number): string {
  if (atUs > endUs)
    return `That is ${seconds(atUs - endUs)} too late: the next block was proposed at ${seconds(endUs)} with the votes that had arrived.`;
  return `${seconds(endUs - atUs)} are left until the next block.`;
}

function ending({ result, clock }: SlotIndex): string {
  const { cast, inReach, lost, byzantine } = result.votes;
  const block = `At ${seconds(clock.endUs)}, the next block is proposed with ${count(inReach)} of ${count(cast)} honest votes in reach: ${percent(inReach, cast)}.`;
  const toEve = lostToEve(result);
  if (result.scenario.attacks.length === 0) return block;
  const hers = `${count(byzantine.inReach)} of Eve’s ${count(byzantine.voters)} votes are also in reach of the proposer.`;
  return `${block} ${hers} ${count(toEve)} honest votes are excluded by Eve, ${count(lost.outweighed)} of them by [[griefing]].`;
}
