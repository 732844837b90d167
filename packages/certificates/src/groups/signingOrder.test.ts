import { toHex } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import { expect, it } from 'vitest';
import { inSigningOrder, type Ordered } from './signingOrder.ts';

const messageOf = (words: string, ...origins: number[]): Ordered => ({
  name: toHex(nodeCrypto.sha256([new TextEncoder().encode(words)])),
  origins,
  drawn: undefined,
});
const many = (origin: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, number) => messageOf(`${origin} ${from + number}`, origin));
const placeOf = (message: Ordered, others: readonly Ordered[], turn: number) =>
  inSigningOrder([...others, message], turn, nodeCrypto).indexOf(message);

it('each origin has one message among the first, for any number of messages of other origins', () => {
  const flood = many(1, 100);
  const single = [2, 3, 4].map((origin) => messageOf('single', origin));
  for (let turn = 0; turn < 20; turn++)
    for (const message of single) {
      const others = [...flood, ...single].filter((one) => one !== message);
      expect(placeOf(message, others, turn)).toBeLessThan(4);
    }
});

it('the order does not depend on the order of arrival, and changes with the turn', () => {
  const all = [...many(1, 10), ...many(2, 10), ...many(3, 10)];
  const names = (messages: readonly Ordered[], turn: number) =>
    inSigningOrder(messages, turn, nodeCrypto).map(({ name }) => name);
  expect(names(all.toReversed(), 5)).toEqual(names(all, 5));
  expect(names(all, 6)).not.toEqual(names(all, 5));
});

it('a message is first in some turns only, and a name found by search is not first more often', () => {
  const others = many(1, 7);
  // A name chosen as the smallest of 500 comes first no more often than any other.
  const sought = many(1, 500, 1000).reduce((first, one) => (one.name < first.name ? one : first));
  const first = Array.from({ length: 200 }, (_, turn) => placeOf(sought, others, turn)).filter((place) => place === 0);
  expect(first.length).toBeGreaterThan(10);
  expect(first.length).toBeLessThan(50);
});

it('a message that two members requested has the better of its two positions', () => {
  const flood = many(1, 50);
  const both = messageOf('both', 1, 2);
  for (let turn = 0; turn < 20; turn++) expect(placeOf(both, flood, turn)).toBeLessThan(2);
});
