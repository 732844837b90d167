import { defaultNetworkScenario, linkPresets, votingSystemNames } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { networkCommand, votingNames } from './networkText.ts';

it('names every system', () => {
  expect(Object.keys(votingNames)).toEqual([...votingSystemNames]);
});

it('networkCommand names the settings that differ from the assumptions', () => {
  expect(networkCommand(defaultNetworkScenario)).toBe('npx tutti slots network --preset horn');
  const other = { ...defaultNetworkScenario, links: linkPresets.home, distribution: 'heavy-tailed', seed: 7 } as const;
  expect(networkCommand({ ...other, client: { ...other.client, machine: 'raspberry-pi-4' } })).toBe(
    'npx tutti slots network --preset horn --links home --machine raspberry-pi-4 --distribution heavy-tailed --seed 7',
  );
  const griefing = { ...defaultNetworkScenario, attacks: [{ name: 'griefing', share: 0.33 }] };
  expect(networkCommand(griefing)).toBe('npx tutti slots network --preset horn --eve 0.33');
  const late = { ...defaultNetworkScenario, attacks: [{ name: 'late', share: 0.1 }] };
  expect(networkCommand(late)).toBe('npx tutti slots network --preset horn --eve 0.1 --eve-attack late');
});
