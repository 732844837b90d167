import { RandomStream } from '@tutti/core';
import { addMember, emptySet, type MemberSet, sizeBeyond, union } from '@tutti/core/horn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregatesToMerge, forwardingNames, forwardingSchemes, heaviest } from './forwarding.ts';

const members = 40;

function setOf(list: Iterable<number>): MemberSet {
  const set = emptySet(members);
  for (const member of list) addMember(set, member);
  return set;
}

const anySet = fc.uniqueArray(fc.nat(members - 1)).map(setOf);

describe("Horn, 'Collectors'", () => {
  it('the best aggregate is the heaviest, the first of several', () => {
    const all = [setOf([1]), setOf([2, 3]), setOf([4, 5])];
    expect(heaviest(all)).toBe(1);
    expect(forwardingSchemes.bitfield.forward(all)).toEqual([[all[1]]]);
  });

  it.each(forwardingNames)('%s: forwards nothing without aggregates', (name) => {
    const { sums, forward } = forwardingSchemes[name];
    const forwarded = forward([], new RandomStream(1, 'none'));
    expect(forwarded).toEqual(Array.from({ length: sums }, () => []));
  });

  it('forwards with the largest aggregate a random one of the others, uniformly', () => {
    const all = [setOf([1]), setOf([2, 3, 4]), setOf([4, 5]), setOf([6])];
    const random = new RandomStream(1, 'others');
    const counts = new Map(all.map((set) => [set, 0]));
    for (let turn = 0; turn < 3000; turn++) {
      const [largest, other] = forwardingSchemes.largestAndRandom.forward(all, random).flat() as MemberSet[];
      expect(largest).toBe(all[1]);
      counts.set(other!, counts.get(other!)! + 1);
    }
    expect(counts.get(all[1]!)).toBe(0);
    // A third of 3000 is expected for each. The tolerance is five standard deviations.
    for (const index of [0, 2, 3]) {
      expect(Math.abs(counts.get(all[index]!)! - 1000)).toBeLessThan(5 * Math.sqrt(3000 * (1 / 3) * (2 / 3)));
    }
  });
});

describe("Horn, 'Alternative aggregation schemes': merging of overlapping aggregates", () => {
  it('covers the votes of all aggregates, if there are at most as many as may be merged', () => {
    fc.assert(
      fc.property(fc.array(anySet, { minLength: 1, maxLength: 15 }), (all) => {
        const merged = union(aggregatesToMerge(all, 15), members);
        expect(merged).toEqual(union(all, members));
      }),
    );
  });

  it('merges no aggregate without new votes, and at most the maximum', () => {
    fc.assert(
      fc.property(fc.array(anySet, { maxLength: 20 }), fc.integer({ min: 1, max: 15 }), (all, most) => {
        const chosen = aggregatesToMerge(all, most);
        expect(chosen.length).toBeLessThanOrEqual(most);
        chosen.forEach((set, index) => {
          expect(sizeBeyond(set, union(chosen.slice(0, index), members))).toBeGreaterThan(0);
        });
      }),
    );
  });

  it.each(['fourBit', 'succinctProof'] as const)(
    '%s: no honest vote is lost with one honest aggregate among any number of others, at any position',
    (name) => {
      const honest = fc.uniqueArray(fc.nat(members - 1), { minLength: 1 }).map(setOf);
      fc.assert(
        fc.property(honest, fc.array(anySet, { maxLength: 60 }), fc.nat(60), (good, bad, place) => {
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
