import { toHex } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import { expect, it } from 'vitest';
import { inSigningOrder, type Ordered, Turns } from './signingOrder.ts';

const messageOf = (words: string, ...origins: number[]): Ordered => ({
  name: toHex(nodeCrypto.sha256([new TextEncoder().encode(words)])),
  origins,
  drawn: undefined,
});
const many = (origin: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, number) => messageOf(`${origin} ${from + number}`, origin));
const placeOf = (message: Ordered, others: readonly Ordered[], turn: number) =>
  inSigningOrder([...others, message], turn, nodeCrypto).indexOf(message);

it('each origin has one message among the first messages, regardless of the number of messages from other origins', () => {
  const flood = many(1, 100);
  const single = [2, 3, 4].map((origin) => messageOf('single', origin));
  for (let turn = 0; turn < 20; turn++)
    for (const message of single) {
      const others = [...flood, ...single].filter((one) => one !== message);
      expect(placeOf(message, others, turn)).toBeLessThan(4);
    }
});

it('a message is first in some turns only, and a name found by search is not first more often', () => {
  const others = many(1, 7);
  // The smallest of 500 names comes first no more often than any other name.
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

it('the turn advances only when more members than can be faulty have advanced, and only to a turn that all of these members have reached', () => {
  const turns = new Turns(() => 1n, 2n);
  expect([turns.hear(1, 900), turns.hear(2, 800), turns.now]).toEqual([false, false, 0]);
  expect([turns.hear(1, 901), turns.now]).toEqual([false, 0]);
  expect([turns.hear(3, 5), turns.now]).toEqual([true, 5]);
  expect([turns.hear(4, 7), turns.now]).toEqual([true, 7]);
});

it('members count by weight', () => {
  const turns = new Turns((index) => (index === 0 ? 10n : 1n), 9n);
  for (let index = 1; index < 9; index++) turns.hear(index, 50);
  expect(turns.now).toBe(0);
  expect([turns.hear(0, 20), turns.now]).toEqual([true, 20]);
});

it('a turn never decreases', () => {
  const turns = new Turns(() => 1n, 0n);
  turns.hear(1, 4);
  turns.next();
  expect([turns.hear(1, 4), turns.hear(2, 5), turns.hear(1, 3), turns.now]).toEqual([false, false, false, 5]);
});
