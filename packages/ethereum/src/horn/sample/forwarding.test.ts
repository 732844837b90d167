import { RandomStream } from '@tutti/core';
import { type MemberSet, sizeBeyond, union } from '@tutti/core/horn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setOf } from '../../../test/memberSets.ts';
import { aggregatesToMerge, forwardingNames, forwardingSchemes, heaviest } from './forwarding.ts';

const members = 40;

const of = (...list: number[]) => setOf(members, list);
const setsOf = (minLength: number) =>
  fc.uniqueArray(fc.nat(members - 1), { minLength }).map((list) => setOf(members, list));
const anySet = setsOf(0);

describe("Horn, 'Collectors'", () => {
  it('the best aggregate is the heaviest, the first of several', () => {
    const all = [of(1), of(2, 3), of(4, 5)];
    expect(heaviest(all)).toBe(1);
    expect(forwardingSchemes.bitfield.forward(all)).toEqual([[all[1]]]);
  });

  it.each(forwardingNames)('%s: forwards nothing without aggregates', (name) => {
    const { sums, forward } = forwardingSchemes[name];
    expect(forward([], new RandomStream(1, 'none'))).toEqual(Array.from({ length: sums }, () => []));
  });

  it('forwards with the largest aggregate a random one of the others, uniformly', () => {
    const all = [of(1), of(2, 3, 4), of(4, 5), of(6)];
    const random = new RandomStream(1, 'others');
    const counts = new Map(all.map((set) => [set, 0]));
    for (let turn = 0; turn < 3000; turn++) {
      const [largest, other] = forwardingSchemes.largestAndRandom.forward(all, random).flat() as MemberSet[];
      expect(largest).toBe(all[1]);
      counts.set(other!, counts.get(other!)! + 1);
    }
    expect(counts.get(all[1]!)).toBe(0);
    // A third of 3000 is expected for each. The tolerance is five standard deviations.
    for (const index of [0, 2, 3])
      expect(Math.abs(counts.get(all[index]!)! - 1000)).toBeLessThan(5 * Math.sqrt(3000 * (1 / 3) * (2 / 3)));
  });
});

describe("Horn, 'Alternative aggregation schemes': merging of overlapping aggregates", () => {
  it('covers the votes of all aggregates, and merges none without new votes', () => {
    fc.assert(
      fc.property(fc.array(anySet, { maxLength: 20 }), (all) => {
        const chosen = aggregatesToMerge(all);
        expect(union(chosen, members)).toEqual(union(all, members));
        chosen.forEach((set, index) => {
          expect(sizeBeyond(set, union(chosen.slice(0, index), members))).toBeGreaterThan(0);
        });
      }),
    );
  });

  it.each(['fourBit', 'succinctProof'] as const)(
    '%s: no honest vote is lost with one honest aggregate among any number of others, at any position',
    (name) => {
      fc.assert(
        fc.property(setsOf(1), fc.array(anySet, { maxLength: 60 }), fc.nat(60), (good, bad, place) => {
          const sums = forwardingSchemes[name].forward(bad.toSpliced(place, 0, good));
          expect(sizeBeyond(good, union(sums.flat(), members))).toBe(0);
          if (name === 'succinctProof') expect(sums).toHaveLength(1);
          for (const sum of sums) if (name === 'fourBit') expect(sum.length).toBeLessThanOrEqual(15);
        }),
        { numRuns: 500 },
      );
    },
  );
});
