import { readFileSync } from 'node:fs';
import { defaultNetworkScenario, linkPresets, systemOf } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { pieces } from '../guide/explanation.ts';
import { readNetworkFile } from './networkFile.ts';
import { inReachWords, networkChapters, networkCommand, networkRounds } from './networkText.ts';

it.each([
  ['', {}],
  [
    '--links home --distribution heavy-tailed --seed 7',
    { links: linkPresets.home, distribution: 'heavy-tailed', seed: 7 },
  ],
  ['--machine raspberry-pi-4', { client: { ...defaultNetworkScenario.client, machine: 'raspberry-pi-4' } }],
  ['--eve 0.33', { attacks: [{ name: 'griefing', share: 0.33 }] }],
  ['--eve 0.1 --eve-attack late', { attacks: [{ name: 'late', share: 0.1 }] }],
] as const)('networkCommand names the settings that differ from the assumptions: %s', (flags, changes) => {
  const command = networkCommand({ ...defaultNetworkScenario, ...changes });
  expect(command).toBe(`npx tutti slots network --preset horn ${flags}`.trimEnd());
});

const { lanes } = readNetworkFile(JSON.parse(readFileSync(new URL('./network.json', import.meta.url), 'utf8')));
const laneOf = (system: string) => lanes.find(({ scenario }) => scenario.system === system)!;
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

it.each([
  ['electra', 'The block', /32,768 validators vote in this slot/],
  ['electra', 'Aggregates', /1,023 messages \(0\.45 MB\) go to the global topic/],
  ['horn', 'The block', /All validators vote in this slot/],
  ['horn', 'Aggregates', /No aggregate goes to the global topic/],
  ['horn', 'Collections', /488 messages/],
  ['handel-committees', 'Votes', /run Handel/],
  ['handel-committees', 'Results', /488 messages/],
])('%s: the chapter "%s" states its messages', (system, title, words) => {
  const chapter = networkChapters(laneOf(system)).find((one) => one.title === title)!;
  expect(
    pieces(chapter.text)
      .map((piece) => piece.text)
      .join(''),
  ).toMatch(words);
});

it('inReachWords: counts honest votes if some are Eve’s', () => {
  const { result } = laneOf('horn');
  expect(inReachWords(result)).toBe('100.0\u00a0% of 1,048,576 votes');
  const eve = { voters: 1, cast: 1, inReach: 0 };
  expect(inReachWords({ ...result, eve, inReach: { mean: 0.5, least: 0, most: 1 } })).toBe(
    '50.0\u00a0% of 1,048,576 honest votes',
  );
});
