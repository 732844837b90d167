import { RandomStream, shuffle } from '@tutti/core';
import { addMember, emptySet, hasMember, isElected, type MemberSet, sizeBeyond, sizeOf } from '@tutti/core/horn';
import { attackNamed } from '@tutti/simulation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { griefedAggregate, griefingLoss, hornAttackNamed, hornAttacks } from './attacks.ts';

function setOf(members: number, has: (member: number) => boolean): MemberSet {
  const set = emptySet(members);
  for (let member = 0; member < members; member++) if (has(member)) addMember(set, member);
  return set;
}

const clock = { attestUs: 4, aggregateUs: 8, collectUs: 12, endUs: 22 };

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
          const isHers = (member: number): boolean => member === 0 || order[member]! < share * n;
          const hers = setOf(n, isHers);
          const verified = setOf(n, (member) => !isHers(member) && (member + seed) % 5 !== 0);
          const sent = aggregate({ verified, hers, member: 0, order });
          const [honest, eve] = [sizeOf(verified), sizeOf(hers)];
          expect(sizeOf(sent)).toBe(honest - Math.min(honest, eve - 1) + eve);
          expect(sizeBeyond(hers, sent)).toBe(0);
          const known = setOf(n, (member) => hasMember(hers, member) || hasMember(verified, member));
          expect(sizeBeyond(sent, known)).toBe(0);
        },
      ),
    );
  });

  it('excludes the same votes for each Byzantine sender, starting with the first in the order', () => {
    const hers = setOf(8, (member) => member > 4);
    const order = Int32Array.of(6, 3, 1, 0, 2, 4, 5, 7);
    const sent = [5, 6].map((member) => aggregate({ verified: setOf(8, (who) => who < 5), hers, member, order }));
    expect([0, 1, 2, 3, 4, 5, 6, 7].filter((member) => hasMember(sent[0]!, member))).toEqual([0, 2, 4, 5, 6, 7]);
    expect(sent[1]).toEqual(sent[0]);
  });

  it('withholds votes if a Byzantine aggregator is elected, and only then', () => {
    expect([votes(true), votes(false)]).toEqual([false, true]);
  });
});

it.each([
  ['silent', 0, 'nothing'],
  ['worthless', 1, 'own-vote'],
  ['late', 3, 'best'],
])('%s sends %i votes of three verified', (name, weight, collection) => {
  const attack = hornAttackNamed(name)!;
  const known = { verified: setOf(40, (member) => member < 3), hers: setOf(40, (member) => member > 35) };
  const sent = attack.aggregate({ ...known, member: 37, order: shuffle(40, 1, 'order') });
  expect(sizeOf(sent)).toBe(weight);
  expect(attack.collection).toBe(collection);
});

it('late acts too late for the next phase', () => {
  const late = hornAttackNamed('late')!;
  expect(late.clock(clock, true)).toEqual({ ...clock, aggregateUs: 12, collectUs: 22 });
  expect(late.clock(clock, false)).toMatchObject({ aggregateUs: 22 });
  for (const { name, clock: of } of hornAttacks) if (name !== 'late') expect(of(clock, true)).toEqual(clock);
});

it('attacks with the same name as in Handel have the same meaning', () => {
  const shared = hornAttacks.map(({ name }) => name).filter((name) => attackNamed(name) !== undefined);
  expect(shared).toEqual(['silent', 'worthless']);
  expect(hornAttackNamed('flood')).toBeUndefined();
});

const subcommittee = { members: 512, aggregators: 16 };

describe("Horn, 'Reward griefing attacks against Horn'", () => {
  it('N votes exclude N-1 honest ones and are heavier by one', () => {
    expect(griefedAggregate(400, 100)).toEqual({ weight: 401, censored: 99 });
    expect(griefedAggregate(400, 1)).toEqual({ weight: 401, censored: 0 });
  });

  it('excludes the maximum: one more would not be heavier, or does not exist', () => {
    fc.assert(
      fc.property(fc.nat(600), fc.integer({ min: 1, max: 600 }), (honest, eve) => {
        const { weight, censored } = griefedAggregate(honest, eve);
        expect(weight).toBe(honest - censored + eve);
        expect(weight).toBeGreaterThan(honest);
        expect(censored === honest || weight - 1 === honest).toBe(true);
      }),
    );
  });

  it.each([0.001, 0.01, 0.1, 1 / 3])('at a share of %d the loss is ns - 1 - nsq(1-sp)^(n-1) + (1-sp)^n', (share) => {
    const [n, p, q] = [512, 1 / 32, 31 / 32];
    const censored = n * share - 1 - n * share * q * (1 - share * p) ** (n - 1) + (1 - share * p) ** n;
    const loss = griefingLoss(subcommittee, share);
    expect(loss.censored).toBeCloseTo(censored, 10);
    expect(loss.elected).toBeCloseTo(1 - (1 - share * p) ** n, 12);
    expect(loss.lostShare).toBeCloseTo(censored / (n * (1 - share)), 12);
  });

  it('agrees with the simulation member by member within its sampling error', () => {
    const [slots, share] = [4000, 0.2];
    const random = new RandomStream(5, 'griefing');
    const lost = Array.from({ length: slots }, () => {
      let eve = 0;
      let elected = false;
      for (let member = 0; member < 512; member++) {
        if (random.nextUnit() >= share) continue;
        eve++;
        elected ||= isElected(random.nextUint32(), random.nextUint32(), 32);
      }
      return elected ? griefedAggregate(512 - eve, eve).censored : 0;
    });
    const mean = lost.reduce((sum, one) => sum + one, 0) / slots;
    const variance = lost.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (slots - 1);
    expect(Math.abs(mean - griefingLoss(subcommittee, share).censored)).toBeLessThan(4 * Math.sqrt(variance / slots));
  });

  it('costs nothing without Byzantine validators', () => {
    expect(griefingLoss(subcommittee, 0)).toEqual({ elected: 0, censored: 0, lostShare: 0 });
  });
});
