import { recordLeanSlot, runLeanSlot } from '@tutti/ethereum/lean';
import { loadNetwork } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { subnetsPhrase, subnetsWords, wastedMerges } from './leanMoment.ts';
import { firstLeanState, leanScenarioOf } from './leanState.ts';
import { leanChapters, percent, slotTime } from './leanText.ts';

it('writes shares as whole percents, 0 and 100 only for exact values, and times as seconds, each with its unit on the same line', () => {
  expect([0, 0.001, 0.666, 0.9966, 1].map(percent)).toEqual(
    ['0', '1', '67', '99', '100'].map((whole) => `${whole}\u00a0%`),
  );
  expect([0, 1234, 4000].map(slotTime)).toEqual(['0.00\u00a0s', '1.23\u00a0s', '4.00\u00a0s']);
});

it.each([
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
