import { RandomStream } from '@tutti/core';
import { isElected } from '@tutti/core/horn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { griefedAggregate, griefingLoss } from './griefing.ts';

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
