import { expect, it } from 'vitest';
import { percent, rivalWords, slotTime } from './leanWords.ts';

it('writes shares as whole percents and times as seconds, each with its unit on the same line', () => {
  expect([0, 0.666, 1].map(percent)).toEqual(['0\u00a0%', '67\u00a0%', '100\u00a0%']);
  expect([0, 1234, 4000].map(slotTime)).toEqual(['0.00\u00a0s', '1.23\u00a0s', '4.00\u00a0s']);
});

it('has a title of its own and a sentence for each rival', () => {
  const words = Object.values(rivalWords);
  expect(new Set(words.map(({ title }) => title)).size).toBe(words.length);
  for (const { how } of words) expect(how).toMatch(/^[A-Z].*\.$/);
});
