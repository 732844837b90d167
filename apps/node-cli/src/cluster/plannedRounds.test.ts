import { expect, it } from 'vitest';
import { plannedRounds } from './plannedRounds.ts';

const shown = (text: string, count: number) =>
  plannedRounds(text, count, 'independent').map(({ number, message }) => [number, new TextDecoder().decode(message)]);

it('one round signs the text unchanged', () => {
  expect(shown('block {round}', 1)).toEqual([[1, 'block {round}']]);
});

it('each of several rounds signs its own message', () => {
  expect(shown('tutti', 3)).toEqual([
    [1, 'tutti 1'],
    [2, 'tutti 2'],
    [3, 'tutti 3'],
  ]);
  expect(shown('block {round}', 2)).toEqual([
    [1, 'block 1'],
    [2, 'block 2'],
  ]);
});

it('all rounds have the requested rows', () => {
  for (const rows of ['independent', 'shifted'] as const)
    expect(plannedRounds('tutti', 2, rows).map(({ priorities }) => priorities)).toEqual([rows, rows]);
});

it('gives each round its period, starting with that of the first round, if the scheme has periods', () => {
  expect(plannedRounds('tutti', 3, 'independent', 7).map(({ period }) => period)).toEqual([7, 8, 9]);
  expect(plannedRounds('tutti', 1, 'independent')[0]).not.toHaveProperty('period');
});
