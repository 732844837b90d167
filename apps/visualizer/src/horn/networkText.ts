import {
  defaultNetworkScenario,
  linkPresetNames,
  linkPresets,
  type NetworkScenario,
  type ProposalName,
  systemOf,
  type VotingSystemName,
} from '@tutti/ethereum';

/** Round of a slot on a network with bandwidth, with the kind of its messages. */
export interface NetworkRound {
  readonly fromUs: number;
  readonly name: 'votes' | 'aggregates' | 'collections' | 'results';
}

/** Returns the rounds of the slot, in order of time. Messages of the last round go to the global topic. */
export function networkRounds(scenario: NetworkScenario): readonly NetworkRound[] {
  const { attestMs, aggregateMs, collectMs, collectors, gathering } = systemOf(scenario);
  const votes = { fromUs: 1000 * attestMs, name: 'votes' } as const;
  // Handel's committees aggregate while they vote.
  if (gathering === 'handel') return [votes, { fromUs: 1000 * collectMs, name: 'results' }];
  const aggregates = { fromUs: 1000 * aggregateMs, name: 'aggregates' } as const;
  if (collectors === 0) return [votes, aggregates];
  return [votes, aggregates, { fromUs: 1000 * collectMs, name: 'collections' }];
}

export const votingNames: Readonly<Record<VotingSystemName, string>> = {
  phase0: 'phase 0',
  electra: 'today (Electra)',
  strawman: 'strawman',
  horn: 'Horn',
  'handel-committees': 'Handel in committees',
};

/**
 * Returns the command that simulates the same slot in a terminal. The scenario does not contain its proposals, so they
 * are an argument.
 */
export function networkCommand(
  { system, validators, changes, links, client, distribution, network, participation, attacks, seed }: NetworkScenario,
  proposals: readonly ProposalName[] = [],
): string {
  const assumed = defaultNetworkScenario;
  const name = linkPresetNames.find((one) => JSON.stringify(linkPresets[one]) === JSON.stringify(links));
  const flags = [
    `--preset ${system}`,
    ...(proposals.length === 0 ? [] : [`--proposal ${proposals.join('+')}`]),
    // The proposal `cap` sets its own number of validators.
    ...(validators === assumed.validators || proposals.includes('cap') ? [] : [`--validators ${validators}`]),
    ...(changes.slotMs === undefined ? [] : [`--slot-ms ${changes.slotMs}`]),
    ...(name === undefined || name === 'eip-7870' ? [] : [`--links ${name}`]),
    ...(client.machine === assumed.client.machine ? [] : [`--machine ${client.machine}`]),
    ...(distribution === assumed.distribution ? [] : [`--distribution ${distribution}`]),
    ...(network === assumed.network ? [] : [`--network ${network}`]),
    ...(participation === assumed.participation ? [] : [`--participation ${participation}`]),
    ...attacks.flatMap(({ name, share }) => [
      `--eve ${share}`,
      ...(name === 'griefing' ? [] : [`--eve-attack ${name}`]),
    ]),
    ...(seed === assumed.seed ? [] : [`--seed ${seed}`]),
  ];
  return `npx tutti slots network ${flags.join(' ')}`;
}
