import { RandomStream } from '@tutti/core';
import { hasMember, sizeBeyond, sizeOf, union } from '@tutti/core/horn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heaviest } from './forwarding.ts';
import { sampleSubcommittee, singledOut } from './subcommittee.ts';

const anyOdds = fc.record({
  election: fc.record({ members: fc.integer({ min: 2, max: 90 }), aggregators: fc.constantFrom(1, 2) }),
  eveShare: fc.constantFrom(0, 0.1, 0.3, 0.6),
  participation: fc.constantFrom(0.5, 0.9, 1),
});

describe("Horn, 'Reward griefing attacks against Horn': one simulated subcommittee", () => {
  it('the Byzantine aggregate is the heaviest by one, without N-1 honest votes, if there are Byzantine and honest aggregators', () => {
    let attacks = 0;
    fc.assert(
      fc.property(anyOdds, fc.nat(), (odds, seed) => {
        const sampled = sampleSubcommittee(odds, new RandomStream(seed, 'one'));
        const { honestVotes, eveVotes, aggregates, honestAggregators, eveAggregators } = sampled;
        expect(aggregates.length).toBe(honestAggregators + eveAggregators);
        expect(sizeOf(union([honestVotes, eveVotes], odds.election.members))).toBe(
          sizeOf(honestVotes) + sizeOf(eveVotes),
        );
        if (eveAggregators === 0 || honestAggregators === 0) return;
        attacks++;
        const [honest, eve] = [sizeOf(honestVotes), sizeOf(eveVotes)];
        const best = aggregates[heaviest(aggregates)]!;
        expect(sizeBeyond(eveVotes, best)).toBe(0);
        expect(sizeBeyond(honestVotes, best)).toBe(Math.min(eve - 1, honest));
        expect(sizeOf(best)).toBe(Math.max(honest + 1, eve));
        expect(aggregates.filter((set) => sizeOf(set) === honest && sizeBeyond(honestVotes, set) === 0).length).toBe(
          honestAggregators,
        );
        if (eve > 1 && hasMember(honestVotes, singledOut)) expect(hasMember(best, singledOut)).toBe(false);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(attacks).toBeGreaterThan(50);
  });

  it('every vote is in every aggregate without a Byzantine aggregator', () => {
    fc.assert(
      fc.property(anyOdds, fc.nat(), (odds, seed) => {
        const sampled = sampleSubcommittee(odds, new RandomStream(seed, 'one'));
        if (sampled.eveAggregators > 0) return;
        const allVotes = union([sampled.honestVotes, sampled.eveVotes], odds.election.members);
        for (const aggregate of sampled.aggregates) expect(aggregate).toEqual(allVotes);
      }),
    );
  });

  it('excludes honest votes uniformly, except for the targeted one', () => {
    const odds = { election: { members: 32, aggregators: 16 }, eveShare: 0.3, participation: 1 };
    const random = new RandomStream(3, 'alike');
    const left = new Array<number>(32).fill(0);
    const cast = new Array<number>(32).fill(0);
    for (let slot = 0; slot < 4000; slot++) {
      const { honestVotes, aggregates, honestAggregators, eveAggregators } = sampleSubcommittee(odds, random);
      if (honestAggregators === 0 || eveAggregators === 0) continue;
      const best = aggregates[heaviest(aggregates)]!;
      for (let member = 0; member < 32; member++) {
        if (!hasMember(honestVotes, member)) continue;
        cast[member]!++;
        if (!hasMember(best, member)) left[member]!++;
      }
    }
    const shares = left.map((count, member) => count / cast[member]!);
    const others = shares.slice(1);
    const mean = others.reduce((sum, share) => sum + share, 0) / others.length;
    // The attack leaves out each validator in a share of its votes. The tolerance is five standard deviations of that
    // share.
    for (const [index, share] of others.entries()) {
      expect(Math.abs(share - mean)).toBeLessThan(5 * Math.sqrt((mean * (1 - mean)) / cast[index + 1]!));
    }
    expect(shares[singledOut]).toBeGreaterThan(0.99);
  });
});
