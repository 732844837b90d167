import { expect, it } from 'vitest';
import * as checks from './arguments.ts';
import { likeliest } from './arguments.ts';

it('no check of types shows a text or bytes', () => {
  const secret = 'hunter2';
  for (const check of [checks.requireObject, checks.requireArray, checks.requireFunction, checks.requireBytes])
    expect(() => check('key', secret)).toThrow(/^key: expected .*, got a text of 7 characters$/);
  expect(() => checks.requireMethods('key', secret, ['sign'])).toThrow(/got a text of 7 characters$/);
  expect(() => checks.requireInt32Array('key', new TextEncoder().encode(secret))).toThrow(/got 7 bytes$/);
  expect(() => checks.requireText('key', 1)).toThrow('key: expected a text, got 1');
});

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
])('likeliest(%j) is %j', (text, word) => expect(likeliest(text, protocols)).toBe(word));

it('finds no similar word for a text that is longer than any word, without a comparison of letters', () => {
  const long = `gossip${'p'.repeat(59)}`;
  expect(likeliest(long.slice(0, 64), [long])).toBe(long);
  expect(likeliest(long, [long])).toBeUndefined();
  expect(likeliest('p'.repeat(2 ** 24), protocols)).toBeUndefined();
});
