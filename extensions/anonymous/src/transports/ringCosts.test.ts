import { expect, it } from 'vitest';
import { ringCosts, ringSizes } from './ringCosts.ts';

it('one ring of all costs the square of the members, and hides each among all of them', () => {
  expect(ringCosts(1024, 1024, 0)).toMatchObject({
    rings: 1,
    linkableMultiplications: 4 * 1024 ** 2,
    traceableMultiplications: 5 * 1024 ** 2,
    hiddenAmong: 1024,
    exposedChance: 0,
  });
});

it('smaller rings cost and hide proportionally less', () => {
  const { rings, linkableBytes, traceableBytes, hiddenAmong } = ringCosts(1024, 32, 0);
  expect([rings, hiddenAmong]).toEqual([32, 32]);
  // Bytes in addition to the ring signatures, which have 64 + 32 n and 32 + 64 n bytes.
  expect(linkableBytes - (64 + 32 * 32)).toBe(traceableBytes - (32 + 64 * 32));
});

it('rings of two sizes cost and hide by the ring of each member', () => {
  // Rings of 4, 4 and 5 members.
  const squares = 2 * 4 ** 2 + 5 ** 2;
  expect(ringCosts(13, 4, 0)).toMatchObject({
    ...{ rings: 3, linkableMultiplications: 4 * squares, traceableMultiplications: 5 * squares },
    hiddenAmong: squares / 13,
  });
});

it('a member is exposed if all others in its ring reveal their keys, with the probability of drawing without replacement', () => {
  // In this case, four of the nine other members reveal their keys. In a ring of five, all four other members are among
  // those that reveal their keys with probability 4/9 3/8 2/7 1/6.
  const { exposedChance, hiddenAmong } = ringCosts(10, 4, 0.5);
  expect(exposedChance).toBeCloseTo((4 * 3 * 2 * 1) / (9 * 8 * 7 * 6), 12);
  expect(hiddenAmong).toBeCloseTo(1 + 4 * (5 / 9), 12);
  expect(ringCosts(10, 4, 1).exposedChance).toBe(1);
  expect(ringCosts(1, 4, 1)).toMatchObject({ hiddenAmong: 1, exposedChance: 1 });
});

it('sizes double up to the number of members', () => {
  expect(ringSizes(20)).toEqual([4, 8, 16, 20]);
  expect(ringSizes(4)).toEqual([4]);
});
