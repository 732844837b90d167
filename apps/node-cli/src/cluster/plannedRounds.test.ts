import { expect, it } from 'vitest';
import { plannedRounds } from './plannedRounds.ts';

const shown = (text: string, seed: number, count: number) =>
  plannedRounds(text, seed, count).map(({ number, message, seed }) => [
    number,
    new TextDecoder().decode(message),
    seed,
  ]);

it('one round signs the text as it is', () => {
  expect(shown('block {round}', 7, 1)).toEqual([[1, 'block {round}', 7]]);
});

it('of several rounds each signs its own message, and has places of its own', () => {
  expect(shown('tutti', 2 ** 32 - 1, 3)).toEqual([
    [1, 'tutti 1', 2 ** 32 - 1],
    [2, 'tutti 2', 0],
    [3, 'tutti 3', 1],
  ]);
  expect(shown('block {round}', 0, 2)).toEqual([
    [1, 'block 1', 0],
    [2, 'block 2', 1],
  ]);
});

it("gives each round its period, from the first round's on, where the scheme has any", () => {
  expect(plannedRounds('tutti', 1, 3, 7).map(({ period }) => period)).toEqual([7, 8, 9]);
  expect(plannedRounds('tutti', 1, 1)[0]).not.toHaveProperty('period');
});
