import { recordLeanSlot, runLeanSlot } from '@tutti/ethereum/lean';
import { loadNetwork } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { type LeanOutcomeRow, subnetsPhrase, subnetsWords, wastedMerges } from './leanMoment.ts';
import { firstLeanState, leanScenarioOf } from './leanState.ts';
import { leanChapters, spreadWords, verdictWords } from './leanText.ts';
import { strategyLayout } from './strategyLayout.ts';

it.each([
  [[0, 0], 'none', 'no subnet'],
  [[0, 1, 0], '1', 'subnet 1'],
  [[1, 1, 1, 0], '0–2', 'subnets 0–2'],
  [[1, 0, 0, 1], '0, 3', 'subnets 0, 3'],
  [[1, 0, 1, 1], '3 of 4', '3 of 4 subnets'],
])('a proof with the votes %j is of %s, in a sentence of %s', (shares, words, phrase) => {
  expect([subnetsWords(shares), subnetsPhrase(shares)]).toEqual([words, phrase]);
});

it('describes the selected wasted merge, and the first one by default', async () => {
  const state = { ...firstLeanState, start: 'free' as const };
  const scenario = leanScenarioOf(state, 'greedy');
  await loadNetwork(scenario.network);
  const recording = recordLeanSlot(runLeanSlot(scenario).run);
  const waste = (proof: number | undefined) =>
    leanChapters({ ...state, asked: proof === undefined ? undefined : { strategy: 'greedy', proof } }, [recording], '')
      .filter(({ title }) => title === 'Wasted')
      .map(({ timeUs, text }) => [timeUs, /prover (\d+)/.exec(text)![1]]);
  const [first, second] = wastedMerges(recording);
  const as = ({ endMs, position }: typeof first & object) => [Math.round(1000 * endMs), String(position)];
  expect(waste(undefined)).toEqual([as(first!)]);
  expect(waste(second!.proof)).toEqual([as(second!)]);
  expect(waste(recording.block.proofs[0])).toEqual([]);
});

it.each([4, 16, 32, 128])('%i provers: lanes and times are at their coordinates', (provers) => {
  const layout = strategyLayout(300, { subnets: 8, provers, slotMs: 4000 });
  for (const position of [0, provers - 1]) {
    const at = layout.at(layout.x(1234), layout.y(position) + layout.lanes.height / 2)!;
    expect(at.position).toBe(position);
    expect(at.timeMs).toBeCloseTo(1234);
  }
  expect(layout.at(layout.x(1234), layout.y(provers) + 1)).toBeUndefined();
  expect(layout.at(4, layout.y(0))).toBeUndefined();
  expect(layout.y(provers)).toBeLessThan(layout.height);
});

it('columns fill the width, and have numbers if there is space', () => {
  const of = (subnets: number) => strategyLayout(290, { subnets, provers: 8, slotMs: 4000 }).columns;
  expect([of(8).width * 8, of(8).every, of(32).every]).toEqual([260, 1, 2]);
});

it('an interval starts at 100 % only if its p10 is exactly 1', () => {
  expect(spreadWords({ mean: 0.98, p10: 0.996, p90: 1 })).toBe('98\u00a0% (99 to 100\u00a0%)');
});

it.each([
  [1, 0, 'No merge was wasted.'],
  [1, 1, '1 merge, which was wasted.'],
  [5, 1, '5 merges, 1 of which was wasted.'],
  [5, 2, '5 merges, 2 of which were wasted.'],
  [5, 5, '5 merges, all of which were wasted.'],
])('of %i merges, %i wasted: the summary ends with "%s"', (merges, wasted, words) => {
  const row = { strategy: 'greedy', votes: { mean: 1, p10: 1, p90: 1 }, nodes: 9, merges, wasted } as LeanOutcomeRow;
  const said = verdictWords(firstLeanState, [row]);
  expect(said.slice(-words.length)).toBe(words);
});
