import { expect, it } from 'vitest';
import { likeliest } from './likeliest.ts';

const protocols = ['handel', 'complete-graph', 'san-fermin', 'gossip', 'horn', 'horn-strawman'];

it.each<[string, string | undefined]>([
  ['gosip', 'gossip'],
  ['Handel', 'handel'],
  ['hadnel', 'handel'],
  ['sanfermin', 'san-fermin'],
  ['hrno', undefined],
  ['hron', 'horn'],
  ['complete', 'complete-graph'],
  ['hor', 'horn'],
  ['paxos', undefined],
  ['ho', undefined],
  ['x', undefined],
  ['', undefined],
])('likeliest(%j) is %j', (text, word) => {
  expect(likeliest(text, protocols)).toBe(word);
});

it('finds no similar word for a text that is longer than any word, without a comparison of letters', () => {
  const long = `gossip${'p'.repeat(59)}`;
  expect(likeliest(long.slice(0, 64), [long])).toBe(long);
  expect(likeliest(long, [long])).toBeUndefined();
  expect(likeliest('p'.repeat(2 ** 24), protocols)).toBeUndefined();
});
