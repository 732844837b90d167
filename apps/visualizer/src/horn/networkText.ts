import {
  defaultNetworkScenario,
  linkPresetNames,
  linkPresets,
  type NetworkScenario,
  type NetworkSlotResult,
  type ProposalName,
  systemOf,
  type VotingSystemName,
} from '@tutti/ethereum';
import { capital, count, megabytes, seconds } from '../formatNumber.ts';
import type { Chapter } from '../guide/chapter.ts';
import type { PlayerContent } from '../player/player.ts';
import { phasesUntil, type SlotDial } from './clockView.ts';
import { type NetworkLane, reachOfNodes } from './networkFile.ts';
import type { NetworkChoice } from './networkState.ts';

/** Round of a slot on a network with limited bandwidth, with the kind of the round's messages. */
interface NetworkRound {
  readonly fromUs: number;
  readonly name: 'votes' | 'aggregates' | 'collections' | 'results';
}

/** Returns the rounds of a slot, in order of time. Messages of the last round go to the global topic. */
export function networkRounds(scenario: NetworkScenario): readonly NetworkRound[] {
  const { attestMs, aggregateMs, collectMs, collectors, gathering } = systemOf(scenario);
  const votes = { fromUs: 1000 * attestMs, name: 'votes' } as const;
  // In Handel's committees, the votes and the aggregation are one round.
  if (gathering === 'handel') return [votes, { fromUs: 1000 * collectMs, name: 'results' }];
  const aggregates = { fromUs: 1000 * aggregateMs, name: 'aggregates' } as const;
  if (collectors === 0) return [votes, aggregates];
  return [votes, aggregates, { fromUs: 1000 * collectMs, name: 'collections' }];
}

/** Names of the systems in the page's texts. */
export const votingNames: Readonly<Record<VotingSystemName, string>> = {
  phase0: 'phase 0',
  electra: 'today (Electra)',
  strawman: 'strawman',
  horn: 'Horn',
  'handel-committees': 'Handel in committees',
};

/**
 * Returns the command that simulates the same slot in a terminal. The scenario does not contain its proposals, so the
 * proposals are an argument.
 */
export function networkCommand(
  { system, validators, changes, links, client, distribution, network, participation, attacks, seed }: NetworkScenario,
  proposals: readonly ProposalName[] = [],
): string {
  const assumed = defaultNetworkScenario;
  const flag = <Value>(name: string, value: Value, usual: Value) => (value === usual ? [] : [`--${name} ${value}`]);
  const preset = linkPresetNames.find((one) => JSON.stringify(linkPresets[one]) === JSON.stringify(links));
  const flags = [
    `--preset ${system}`,
    ...flag('proposal', proposals.join('+'), ''),
    // The proposal `cap` determines the number of validators by itself.
    ...(proposals.includes('cap') ? [] : flag('validators', validators, assumed.validators)),
    ...flag('slot-ms', changes.slotMs, undefined),
    ...flag('links', preset, 'eip-7870'),
    ...flag('machine', client.machine, assumed.client.machine),
    ...flag('distribution', distribution, assumed.distribution),
    ...flag('network', network, assumed.network),
    ...flag('participation', participation, assumed.participation),
    ...attacks.flatMap(({ name, share }) => [`--eve ${share}`, ...flag('eve-attack', name, 'griefing')]),
    ...flag('seed', seed, assumed.seed),
  ];
  return `npx tutti slots network ${flags.join(' ')}`;
}

/** Returns the chapters of a slot on a network with limited bandwidth, in order of time. */
export function networkChapters(lane: NetworkLane): readonly Chapter[] {
  const { scenario, result } = lane;
  const { slotMs, blockMs } = systemOf(scenario);
  const rounds = networkRounds(scenario);
  const all: Chapter[] = [
    { timeUs: 0, title: 'The block', text: opening(lane) },
    ...rounds.map(({ fromUs, name }, place) => ({
      timeUs: fromUs,
      title: capital(name),
      text: roundText(lane, name, place === rounds.length - 1),
    })),
  ];
  const { meanMs, share } = result.reach;
  if (meanMs !== undefined && meanMs < blockMs)
    all.push({
      timeUs: Math.round(1000 * meanMs),
      title: '99 % verified',
      text: `${share > 0.9995 ? 'A [[proposer]] has' : `${percents(share)} of the [[proposer|proposers]] have`} verified 99\u00a0% of the votes after ${seconds(1000 * meanMs)} on average. ${seconds(1000 * (blockMs - meanMs))} remain until the next block.`,
    });
  all.push({ timeUs: 1000 * slotMs, title: 'Next block', text: ending(lane) });
  return all.toSorted((a, b) => a.timeUs - b.timeUs);
}

function opening({ scenario, result: { voters } }: NetworkLane): string {
  const { validators, nodes, links, client, attacks } = scenario;
  const kinds = links.map(
    ({ name, share, downMbps, upMbps }) =>
      `${count(Math.round(share * nodes))} ${name} nodes with ${count(downMbps)} Mbps down and ${count(upMbps)} up`,
  );
  const who =
    voters === validators ? 'All validators vote in this slot.' : `${count(voters)} validators vote in this slot.`;
  const eve = attacks.map(
    ({ name, share }) =>
      ` Eve controls ${percents(share)} of the validators (attack: ${name === 'griefing' ? '[[griefing]]' : name}).`,
  );
  return `${count(validators)} [[validator|validators]] run on ${count(nodes)} nodes: ${kinds.join(', ')}, each with ${client.cores} cores (${client.machine}). ${who}${eve.join('')}`;
}

function roundText({ scenario, result }: NetworkLane, name: NetworkRound['name'], isGlobal: boolean): string {
  const { globalMessages, globalBytes, cast, delays } = result;
  const sent = `${count(globalMessages)} messages (${megabytes(globalBytes)} MB) go to the [[global topic]], where every node must verify them`;
  if (name === 'votes') {
    if (systemOf(scenario).gathering === 'handel')
      return `${count(cast)} votes are signed. Each node combines the votes of its own validators, and the nodes of each [[committee]] run Handel${arrival(delays.subnets, 'they have 99\u00a0% of its votes')}.`;
    return `${count(cast)} votes are sent, each on the subnet of its [[subcommittee]], where nodes forward them${arrival(delays.subnets, 'a node of the subnet has verified a vote')}.`;
  }
  const arrived = arrival(delays.global, 'a node has verified a message');
  if (name === 'results') return `The results of Handel’s committees are published. ${sent}${arrived}.`;
  if (name === 'collections')
    return `In each committee, elected [[collector|collectors]] merge the heaviest [[aggregate|aggregates]] into [[collection|collections]]. ${sent}${arrived}.`;
  if (isGlobal) return `The [[aggregator|aggregators]] combine their verified votes. ${sent}${arrived}.`;
  return 'The [[aggregator|aggregators]] combine their verified votes and send the aggregates to the topics of their [[committee|committees]]. No aggregate goes to the [[global topic]].';
}

function arrival(delay: { readonly meanMs: number } | undefined, what: string): string {
  return delay === undefined ? '' : `; on average, ${what} after ${seconds(1000 * delay.meanMs)}`;
}

function ending({ scenario, result }: NetworkLane): string {
  const loads = scenario.links.map(({ name }, of) => {
    const { receivedBytes, sentBytes, coreSeconds } = result.loads[of]!;
    return `a ${name} node received ${megabytes(receivedBytes)} MB, sent ${megabytes(sentBytes)} MB and used ${coreSeconds.toFixed(1)} s of CPU time`;
  });
  return `At ${seconds(1000 * systemOf(scenario).blockMs)}, the next block is proposed. On average, its [[proposer]] has verified ${inReachWords(result)}. In this slot, ${loads.join('; ')}.`;
}

/** Describes the mean share of honest votes that are in the next proposer's reach when it builds its block. */
export function inReachWords({ inReach, cast, eve }: NetworkSlotResult): string {
  return `${percents(inReach.mean)} of ${count(cast)} ${eve === undefined ? 'votes' : 'honest votes'}`;
}

function percents(share: number): string {
  return `${(100 * share).toFixed(1)}\u00a0%`;
}

/** Returns the player's content for a slot. The curve is the share of the votes in the observed nodes' reach. */
export function contentOf(lane: NetworkLane): PlayerContent {
  const { scenario, steps } = lane;
  const spanUs = 1000 * systemOf(scenario).slotMs;
  const last = Math.max(1, steps.sent.length - 1);
  const moments = steps.sent.flatMap((sent, step) => {
    const isNew =
      step > 0 && (sent > steps.sent[step - 1]! || steps.verified.some((all) => all[step]! > all[step - 1]!));
    return isNew ? [1000 * step * steps.stepMs] : [];
  });
  const rounds = networkRounds(scenario);
  return {
    track: {
      spanUs,
      curve: steps.sent.map((_, step) => [step / last, (reachOfNodes(lane, step) ?? 0) / 100]),
    },
    chapters: networkChapters(lane),
    marks: [
      ...rounds.map(({ fromUs, name }) => ({ timeUs: fromUs, label: name, kind: 'level' as const })),
      { timeUs: spanUs, label: 'next block', kind: 'level' },
    ],
    stepsUs: [...new Set([...rounds.map(({ fromUs }) => fromUs), ...moments, spanUs])].sort((a, b) => a - b),
  };
}

/** Returns the moment one step after the first global message, when a queue is visible, µs. */
export function firstMomentUs({ steps }: NetworkLane): number {
  const first = steps.sent.findIndex((sent) => sent > 0);
  return 1000 * (Math.max(0, first) + 1) * steps.stepMs;
}

/** Returns the values of the clock for a slot. The mark is the mean time at which a proposer has 99 % of the votes. */
export function dialOf({ scenario, result }: NetworkLane): SlotDial {
  const endUs = 1000 * systemOf(scenario).slotMs;
  const { share, meanMs } = result.reach;
  return {
    phases: phasesUntil(endUs, [{ fromUs: 0, name: 'the block' }, ...networkRounds(scenario)]),
    endUs,
    reachUs: share > 0 && meanMs !== undefined ? 1000 * meanMs : undefined,
  };
}

/** Explains how to read the clock of the slot. */
export function clockWords({ reachUs }: SlotDial): string {
  const what =
    reachUs === undefined
      ? 'No proposer has verified 99\u00a0% of the votes.'
      : 'The gold mark is the mean time at which a proposer has verified 99\u00a0% of the votes.';
  return `One revolution is one slot. ${what}`;
}

/** Describes a slot by its system and, if it differs from the system's own, its length. */
export function slotWords({ system, slotSeconds }: NetworkChoice): string {
  return slotSeconds === undefined
    ? votingNames[system]
    : `${votingNames[system]}, slot length ${count(slotSeconds)} s`;
}

/** Describes the result of a slot, and whether the slot was recorded or simulated in the page. */
export function outcomeWords(choice: NetworkChoice, { result }: NetworkLane, isRecorded: boolean): string {
  const { meanMs } = result.reach;
  const reached =
    meanMs === undefined
      ? 'No proposer ever verified 99 % of the votes.'
      : `On average, a proposer had verified 99 % of the votes after ${seconds(1000 * meanMs)}.`;
  const how = isRecorded ? 'recorded when the page was built' : 'simulated here';
  return `${reached} At the end of the slot, a proposer had verified ${inReachWords(result)} on average. ${capital(slotWords(choice))}, ${how}.`;
}
