import { expect, it } from 'vitest';
import { Turns } from './signingOrder.ts';

it('the turn advances only after more members than can be faulty, to a turn that all of them have reached', () => {
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
