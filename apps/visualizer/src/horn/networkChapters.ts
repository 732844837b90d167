import { type NetworkSlotResult, systemOf } from '@tutti/ethereum';
import { count, figure } from '../formatNumber.ts';
import type { Chapter } from '../guide/guide.ts';
import type { NetworkLane } from './networkFile.ts';
import { type NetworkRound, networkRounds } from './networkText.ts';
import { megabytes, seconds } from './words.ts';

type RunLane = Pick<NetworkLane, 'scenario' | 'result'>;

/** Returns the chapters of a slot on a network with bandwidth, in order of time. */
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
      text: `${share > 0.9995 ? 'A [[proposer]] has' : `${percents(share)} of the [[proposer|proposers]] have`} 99\u00a0% of the votes in reach after ${seconds(1000 * meanMs)} on average. ${seconds(1000 * (blockMs - meanMs))} are left until the next block.`,
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
  const who = voters === validators ? 'All validators vote' : `${count(voters)} validators vote`;
  const eve = attacks.map(
    ({ name, share }) =>
      ` Eve controls ${percents(share)} of the validators (attack: ${name === 'griefing' ? '[[griefing]]' : name}).`,
  );
  return `${count(validators)} [[validator|validators]] run on ${count(nodes)} nodes: ${kinds.join(', ')}, each with ${client.cores} cores (${client.machine}). ${who} in this slot.${eve.join('')}`;
}

function roundText({ scenario, result }: RunLane, name: NetworkRound['name'], isGlobal: boolean): string {
  const { globalMessages, globalBytes, cast, delays } = result;
  const sent = `${count(globalMessages)} messages (${megabytes(globalBytes)} MB) go to the [[global topic]], where every node must verify them`;
  if (name === 'votes') {
    if (systemOf(scenario).gathering === 'handel')
      return `${count(cast)} votes are signed. Each node adds up the votes of its own validators, and the nodes of each [[committee]] run Handel${arrival(delays.subnets, 'they have 99\u00a0% of its votes')}.`;
    return `${count(cast)} votes are sent, each on the subnet of its [[subcommittee]], where nodes forward them${arrival(delays.subnets, 'a node of the subnet has verified a vote')}.`;
  }
  const arrived = arrival(delays.global, 'a node has verified a message');
  if (name === 'results') return `The results of Handel’s committees are published: ${sent}${arrived}.`;
  if (name === 'collections')
    return `In each committee, elected [[collector|collectors]] merge the heaviest [[aggregate|aggregates]] into [[collection|collections]]: ${sent}${arrived}.`;
  if (isGlobal) return `The [[aggregator|aggregators]] add up their verified votes: ${sent}${arrived}.`;
  return 'The [[aggregator|aggregators]] add up their verified votes and send the aggregates to the topics of their [[committee|committees]]. No aggregate goes to the [[global topic]].';
}

function arrival(delay: { readonly meanMs: number } | undefined, what: string): string {
  return delay === undefined ? '' : `; on average, ${what} after ${seconds(1000 * delay.meanMs)}`;
}

function ending({ scenario, result }: RunLane): string {
  const loads = scenario.links.map(({ name }, of) => {
    const { receivedBytes, sentBytes, coreSeconds } = result.loads[of]!;
    return `a ${name} node ${megabytes(receivedBytes)} MB received, ${megabytes(sentBytes)} MB sent and ${coreSeconds.toFixed(1)} core seconds`;
  });
  return `At ${seconds(1000 * systemOf(scenario).blockMs)}, the next block is proposed with ${inReachWords(result)} in reach of its [[proposer]]. Load of the slot: ${loads.join('; ')}.`;
}

/** Describes the share of the votes in the next proposer's reach when its block is built. */
export function inReachWords({ inReach, cast, eve }: NetworkSlotResult): string {
  return `${percents(inReach.mean)} of ${figure(cast)} ${eve === undefined ? 'votes' : 'honest votes'}`;
}

function percents(share: number): string {
  return `${(100 * share).toFixed(1)}\u00a0%`;
}
