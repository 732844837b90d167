import { expect, it } from 'vitest';
import { Strikes } from './peer.ts';

/**
 * Returns in how many of `rounds` consecutive rounds a member is not banned, if it sends an invalid contribution in
 * each of these.
 */
function lies(strikes: Strikes, rounds: number): number {
  let heard = 0;
  for (let round = 0; round < rounds; round++) {
    const place = strikes.open();
    if (strikes.isStruck(7, place)) continue;
    heard++;
    strikes.strike(7, place);
  }
  return heard;
}

it('who lies is heard ever more seldom, and others as before', () => {
  const strikes = new Strikes();
  expect([lies(strikes, 1), lies(strikes, 2), lies(strikes, 1), lies(strikes, 4), lies(strikes, 1)]).toEqual([
    1, 0, 1, 0, 1,
  ]);
  expect(lies(new Strikes(), 2 + 4 + 8 + 16 + 32 + 64 + 10 * 65)).toBe(16);
  expect(strikes.isStruck(6, 0)).toBe(false);
});

it('lies in rounds that were open side by side are one, and those rounds do not hear it either', () => {
  const strikes = new Strikes();
  const open = [0, 1, 2].map(() => strikes.open());
  for (const round of open) strikes.strike(7, round);
  expect(open.map((round) => strikes.isStruck(7, round))).toEqual([true, true, true]);
  expect([3, 4, 5].map(() => strikes.isStruck(7, strikes.open()))).toEqual([true, true, false]);
});

it('who lies again long after is struck as for the first time', () => {
  const strikes = new Strikes();
  lies(strikes, 1 + 2 + 1 + 4);
  for (let round = 0; round < 4; round++) strikes.open();
  expect([lies(strikes, 1), lies(strikes, 2), lies(strikes, 1)]).toEqual([1, 0, 1]);
});
