import { readFileSync } from 'node:fs';
import { defaultNetworkScenario, linkPresets, systemOf, votingSystemNames } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { pieces } from '../guide/explanation.ts';
import { readNetworkFile } from './networkFile.ts';
import { inReachWords, networkChapters, networkCommand, networkRounds, votingNames } from './networkText.ts';

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

const { lanes } = readNetworkFile(JSON.parse(readFileSync(new URL('./network.json', import.meta.url), 'utf8')));
const laneOf = (system: string) => lanes.find(({ scenario }) => scenario.system === system)!;
const text = (system: string, title: string) =>
  pieces(networkChapters(laneOf(system)).find((chapter) => chapter.title === title)!.text)
    .map((piece) => piece.text)
    .join('');

it('describes every recorded slot in order, from the block to the next', () => {
  for (const lane of lanes) {
    const chapters = networkChapters(lane);
    expect(chapters.map(({ timeUs }) => timeUs)).toEqual(
      chapters.map(({ timeUs }) => timeUs).toSorted((a, b) => a - b),
    );
    expect(chapters[0]!.title).toBe('The block');
    expect(chapters.at(-1)).toMatchObject({ title: 'Next block', timeUs: 1000 * systemOf(lane.scenario).slotMs });
    for (const { fromUs } of networkRounds(lane.scenario))
      expect(chapters.map(({ timeUs }) => timeUs)).toContain(fromUs);
  }
});

it('states for each system its messages to all nodes, in their round', () => {
  expect(text('electra', 'Aggregates')).toMatch(/1,023 messages \(0\.45 MB\) go to the global topic/);
  expect(text('horn', 'Aggregates')).toContain('No aggregate goes to the global topic');
  expect(text('horn', 'Collections')).toMatch(/488 messages/);
  expect(text('handel-committees', 'Votes')).toContain('run Handel');
  expect(text('handel-committees', 'Results')).toMatch(/488 messages/);
  expect(text('horn', 'The block')).toContain('All validators vote in this slot');
  expect(text('electra', 'The block')).toContain('32,768 validators vote in this slot');
});

it('inReachWords: counts honest votes if some are Eve’s', () => {
  const { result } = laneOf('horn');
  expect(inReachWords(result)).toBe('100.0\u00a0% of 1,048,576 votes');
  const eve = { voters: 1, cast: 1, inReach: 0 };
  expect(inReachWords({ ...result, eve, inReach: { mean: 0.5, least: 0, most: 1 } })).toBe(
    '50.0\u00a0% of 1,048,576 honest votes',
  );
});
