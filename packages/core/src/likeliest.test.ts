import { expect, it } from 'vitest';
import { likeliest } from './errors.ts';

const protocols = ['handel', 'complete-graph', 'san-fermin', 'gossip', 'horn', 'horn-strawman'];

it.each<[string, string | undefined]>([
  ['gosip', 'gossip'],
  ['Handel', 'handel'],
  ['hadnel', 'handel'],
  ['sanfermin', 'san-fermin'],
  ['hrno', undefined],
  ['hron', 'horn'],
  ['complete', 'complete-graph'],
  ['paxos', undefined],
  ['ho', undefined],
  ['x', undefined],
  ['', undefined],
])('likeliest(%j) is %j', (text, word) => {
  expect(likeliest(text, protocols)).toBe(word);
});
