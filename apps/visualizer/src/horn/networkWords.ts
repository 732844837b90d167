import {
  defaultNetworkScenario,
  linkPresetNames,
  linkPresets,
  type NetworkScenario,
  type VotingSystemName,
} from '@tutti/simulation/slots';

export const votingNames: Readonly<Record<VotingSystemName, string>> = {
  phase0: 'phase 0',
  electra: 'today (Electra)',
  strawman: 'strawman',
  horn: 'Horn',
  'handel-committees': 'Handel in committees',
  'smaller-committees': 'a sample of 8192',
  rotating: 'a rotating set of 32,768',
  lean: 'the lean chain',
};

/** The command that plays the same slot in a terminal. */
export function networkCommand({ system, links, client, distribution, attacks, seed }: NetworkScenario): string {
  const assumed = defaultNetworkScenario;
  const name = linkPresetNames.find((one) => JSON.stringify(linkPresets[one]) === JSON.stringify(links));
  const flags = [
    `--preset ${system}`,
    ...(name === undefined || name === 'eip-7870' ? [] : [`--links ${name}`]),
    ...(client.machine === assumed.client.machine ? [] : [`--machine ${client.machine}`]),
    ...(distribution === assumed.distribution ? [] : [`--distribution ${distribution}`]),
    ...attacks.flatMap(({ name, share }) => [
      `--eve ${share}`,
      ...(name === 'griefing' ? [] : [`--eve-attack ${name}`]),
    ]),
    ...(seed === assumed.seed ? [] : [`--seed ${seed}`]),
  ];
  return `npx tutti horn network ${flags.join(' ')}`;
}
