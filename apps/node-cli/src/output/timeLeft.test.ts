import { expect, it } from 'vitest';
import { timeLeft } from './progress.ts';

it.each([
  [1000, 0, 5, ''],
  [1000, 1, 5, ', about 5 s left'],
  [60_000, 1, 5, ', about 5 min left'],
  [3_600_000, 2, 5, ', about 2.5 h left'],
  [1000, 1, 0, ', about 0 s left'],
])('after %i ms with %i done and %i to do: %s', (elapsedMs, done, left, text) => {
  expect(timeLeft(elapsedMs, done, left)).toBe(text);
});
