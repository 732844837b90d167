import { shuffle } from '@tutti/core';
import { sizeBeyond, sizeOf, union } from '@tutti/core/horn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/outcomes.ts';
import { membersOf, setOf } from '../../test/memberSets.ts';
import { griefingLoss, hornAttackNamed, hornAttacks, validateHornAttacks } from './attacks.ts';

describe('griefing (Horn: "Reward griefing attacks against Horn")', () => {
  const { aggregate, votes } = hornAttackNamed('griefing')!;

  it('with N votes excludes N-1 honest ones, or all, and is heavier by one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 130 }),
        fc.double({ max: 1, min: 0, noNaN: true }),
        fc.nat(),
        (n, share, seed) => {
          const order = shuffle(n, seed, 'order');
          const all = Array.from(order.keys());
          const isHers = (member: number): boolean => member === 0 || order[member]! < share * n;
          const hers = setOf(n, all.filter(isHers));
          const verified = setOf(
            n,
            all.filter((member) => !isHers(member) && (member + seed) % 5 !== 0),
          );
          const sent = aggregate({ verified, hers, member: 0, order });
          const [honest, eve] = [sizeOf(verified), sizeOf(hers)];
          expect(sizeOf(sent)).toBe(honest - Math.min(honest, eve - 1) + eve);
          expect(sizeBeyond(hers, sent)).toBe(0);
          expect(sizeBeyond(sent, union([hers, verified], n))).toBe(0);
        },
      ),
    );
  });

  it('excludes the same votes for each Byzantine sender, starting with the first in the order', () => {
    const known = { verified: setOf(8, [0, 1, 2, 3, 4]), hers: setOf(8, [5, 6, 7]) };
    const order = Int32Array.of(6, 3, 1, 0, 2, 4, 5, 7);
    for (const member of [5, 6]) expect(membersOf(aggregate({ ...known, member, order }))).toEqual([0, 2, 4, 5, 6, 7]);
  });

  it('withholds votes if a Byzantine aggregator is elected, and only then', () => {
    expect([votes(true), votes(false)]).toEqual([false, true]);
  });

  it.each([0.001, 0.01, 0.1, 1 / 3])('at a share of %d the loss is ns - 1 - nsq(1-sp)^(n-1) + (1-sp)^n', (share) => {
    const [n, p, q] = [512, 1 / 32, 31 / 32];
    const censored = n * share - 1 - n * share * q * (1 - share * p) ** (n - 1) + (1 - share * p) ** n;
    const loss = griefingLoss({ members: 512, aggregators: 16 }, share);
    expect(loss.censored).toBeCloseTo(censored, 10);
    expect(loss.elected).toBeCloseTo(1 - (1 - share * p) ** n, 12);
    expect(loss.lostShare).toBeCloseTo(censored / (n * (1 - share)), 12);
  });
});

it.each([
  ['silent', 0, 'nothing'],
  ['worthless', 1, 'own-vote'],
  ['late', 3, 'best'],
])('%s sends %i votes of three verified', (name, weight, collection) => {
  const attack = hornAttackNamed(name)!;
  const known = { verified: setOf(40, [0, 1, 2]), hers: setOf(40, [36, 37, 38, 39]) };
  expect(sizeOf(attack.aggregate({ ...known, member: 37, order: shuffle(40, 1, 'order') }))).toBe(weight);
  expect(attack.collection).toBe(collection);
});

it('late acts too late for the next phase', () => {
  const clock = { attestUs: 4, aggregateUs: 8, collectUs: 12, endUs: 22 };
  const late = hornAttackNamed('late')!;
  expect(late.clock(clock, true)).toEqual({ ...clock, aggregateUs: 12, collectUs: 22 });
  expect(late.clock(clock, false)).toMatchObject({ aggregateUs: 22 });
  for (const { name, clock: of } of hornAttacks) if (name !== 'late') expect(of(clock, true)).toEqual(clock);
});

const late = (...shares: number[]) => shares.map((share) => ({ name: 'late', share }));

it.each<[unknown, number, string]>([
  [undefined, 0, 'attacks'],
  [{}, 0, 'attacks'],
  [[undefined], 0, 'attacks'],
  [[{ name: 'x', share: 0.1 }], 0, 'attacks'],
  [late(1.1), 0, 'share of late'],
  ...[[], late(0.5), late(0.4, 0.5), late(0.4, 0.59)].map((list) => [list, 0, 'taken'] as [unknown, number, string]),
  [late(0.4, 0.5), 0.01, 'taken'],
  [late(0.4, 0.6), 0, 'dead and Byzantine shares together'],
  [late(0.4, 0.59), 0.01, 'dead and Byzantine shares together'],
])('accepts known attacks with a possible share of the nodes only: %j with %d', (list, dead, refused) => {
  expect(refusedBy(() => validateHornAttacks(list as never, dead))).toBe(refused);
});
