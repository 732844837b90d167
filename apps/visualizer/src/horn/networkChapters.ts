import { type NetworkSlotResult, systemOf } from '@tutti/ethereum';
import { count, figure } from '../formatNumber.ts';
import type { Chapter } from '../guide/chapter.ts';
import type { NetworkLane } from './networkFile.ts';
import { type NetworkRound, networkRounds } from './networkText.ts';
import { megabytes, seconds } from './words.ts';

type RunLane = Pick<NetworkLane, 'scenario' | 'result'>;

/** Chapters of a slot on a network with bandwidth, in order of time. */
export function networkChapters(lane: RunLane): readonly Chapter[] {
  const { scenario, result } = lane;
  const { slotMs, blockMs } = systemOf(scenario);
  const rounds = networkRounds(scenario);
  const all: Chapter[] = [
    { timeUs: 0, title: 'The block', text: opening(lane) },
    ...rounds.map(({ fromUs, name }, place) => ({
      timeUs: fromUs,
      title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      text: roundText(lane, name, place === rounds.length - 1),
    })),
  ];
  const { meanMs, share } = result.reach;
  if (meanMs !== undefined && meanMs < blockMs)
    all.push({
      timeUs: Math.round(1000 * meanMs),
      title: '99 % in reach',
      text: `${share > 0.9995 ? 'A [[proposer]] has' : `${percents(share)} of the [[proposer|proposers]] have`} 99\u00a0% of the votes within reach after ${seconds(1000 * meanMs)} on average. ${seconds(1000 * (blockMs - meanMs))} are left until the next block.`,
    });
  all.push({ timeUs: 1000 * slotMs, title: 'Next block', text: ending(lane) });
  return all.toSorted((a, b) => a.timeUs - b.timeUs);
}

function opening({ scenario, result: { voters } }: RunLane): string {
  const { validators, nodes, links, client, attacks } = scenario;
  const kinds = links.map(
    ({ name, share, downMbps, upMbps }) =>
      `${count(Math.round(share * nodes))} ${name} nodes with ${figure(downMbps)} Mbps down and ${figure(upMbps)} up`,
  );
  const who = voters === validators ? 'All of them vote' : `${count(voters)} of them vote`;
  const eve = attacks.map(
    ({ name, share }) =>
      ` Eve has ${percents(share)} of them${name === 'griefing' ? ', for [[griefing]]' : `: ${name}`}.`,
  );
  return `${count(validators)} [[validator|validators]] live on ${count(nodes)} nodes: ${kinds.join(', ')}, each with ${client.cores} cores (${client.machine}). ${who} in this slot.${eve.join('')}`;
}

function roundText({ scenario, result }: RunLane, name: NetworkRound['name'], isGlobal: boolean): string {
  const { globalMessages, globalBytes, cast, delays } = result;
  const sent = `${count(globalMessages)} messages, ${megabytes(globalBytes)} MB each once, go to the [[global topic]], and everybody has to verify them`;
  if (name === 'votes') {
    if (systemOf(scenario).gathering === 'handel')
      return `${count(cast)} votes are signed. A node adds up those of its own validators, and each [[committee]] runs Handel among its nodes${arrival(delays.subnets, 'they have 99\u00a0% of its votes')}.`;
    return `${count(cast)} votes are signed, each sent on the subnet of its [[subcommittee]] and passed on from node to node${arrival(delays.subnets, 'those on it have verified one')}.`;
  }
  const arrived = arrival(delays.global, 'a node has verified one');
  if (name === 'results') return `What Handel’s committees have is published: ${sent}${arrived}.`;
  if (name === 'collections')
    return `In each committee elected [[collector|collectors]] join the heaviest [[aggregate|aggregates]]. Their [[collection|collections]], ${sent}${arrived}.`;
  if (isGlobal) return `The [[aggregator|aggregators]] add up what they have verified: ${sent}${arrived}.`;
  return 'The [[aggregator|aggregators]] add up what they have verified, and send it to the topics of their [[committee|committees]]. Nothing of it goes to the [[global topic]].';
}

function arrival(delay: { readonly meanMs: number } | undefined, what: string): string {
  return delay === undefined ? '' : `; ${what} after ${seconds(1000 * delay.meanMs)} on average`;
}

function ending({ scenario, result }: RunLane): string {
  const loads = scenario.links.map(({ name }, of) => {
    const { receivedBytes, sentBytes, coreSeconds } = result.loads[of]!;
    return `a ${name} node ${megabytes(receivedBytes)} MB in, ${megabytes(sentBytes)} MB out and ${coreSeconds.toFixed(1)} s of its cores`;
  });
  return `At ${seconds(1000 * systemOf(scenario).blockMs)} the next block is made, with ${inReachWords(result)} in its [[proposer]]’s reach. The slot has cost ${loads.join(', ')}.`;
}

/** Describes the share of the votes in the next proposer's reach when its block is made. */
export function inReachWords({ inReach, cast, eve }: NetworkSlotResult): string {
  return `${percents(inReach.mean)} of ${figure(cast)} ${eve === undefined ? 'votes' : 'honest votes'}`;
}

function percents(share: number): string {
  return `${(100 * share).toFixed(1)}\u00a0%`;
}
