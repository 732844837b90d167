import { expect, it } from 'vitest';
import { Bans } from './peer.ts';

/** Returns in how many of the next `rounds` rounds a member is heard that sends an invalid contribution each time. */
function invalidRounds(bans: Bans, rounds: number): number {
  let heard = 0;
  for (let round = 0; round < rounds; round++) {
    const place = bans.open();
    if (bans.isBanned(7, place)) continue;
    heard++;
    bans.ban(7, place);
  }
  return heard;
}

it('each invalid contribution doubles the ban of its member and leaves other members unchanged', () => {
  const bans = new Bans();
  expect([
    invalidRounds(bans, 1),
    invalidRounds(bans, 2),
    invalidRounds(bans, 1),
    invalidRounds(bans, 4),
    invalidRounds(bans, 1),
  ]).toEqual([1, 0, 1, 0, 1]);
  expect(invalidRounds(new Bans(), 2 + 4 + 8 + 16 + 32 + 64 + 10 * 65)).toBe(16);
  expect(bans.isBanned(6, 0)).toBe(false);
});

it('invalid contributions in concurrent rounds count once, and these rounds ignore the member too', () => {
  const bans = new Bans();
  const open = [0, 1, 2].map(() => bans.open());
  for (const round of open) bans.ban(7, round);
  expect(open.map((round) => bans.isBanned(7, round))).toEqual([true, true, true]);
  expect([3, 4, 5].map(() => bans.isBanned(7, bans.open()))).toEqual([true, true, false]);
});

it('after a long valid period, an invalid contribution starts the shortest ban again', () => {
  const bans = new Bans();
  invalidRounds(bans, 1 + 2 + 1 + 4);
  for (let round = 0; round < 4; round++) bans.open();
  expect([invalidRounds(bans, 1), invalidRounds(bans, 2), invalidRounds(bans, 1)]).toEqual([1, 0, 1]);
});
