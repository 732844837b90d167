import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeyGroup, keyTotals, sumOfMultiples } from './multiplicities.ts';

/** Creates a group in which integers stand for points. The group counts additions. */
function countingGroup(): KeyGroup<number> & { additions: number } {
  return {
    additions: 0,
    addKeys(a, b) {
      this.additions++;
      return a + b;
    },
    negateKey: (key) => -key,
  };
}

const members = fc.array(fc.record({ key: fc.nat(1000), count: fc.integer({ min: 0, max: 15 }) }), { maxLength: 90 });

describe("Horn, 'Verification time for collections', with multiplicities", () => {
  it('is the sum of keys times multiplicities, with totals of any span and without totals', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 40 }), (all, span) => {
        const keys = all.map(({ key }) => key);
        const counts = Uint8Array.from(all, ({ count }) => count);
        const sum = all.reduce((total, { key, count }) => total + key * count, 0);
        const group = countingGroup();
        expect(sumOfMultiples(keys, counts, group) ?? 0).toBe(sum);
        expect(sumOfMultiples(keys, counts, group, keyTotals(keys, span, group)) ?? 0).toBe(sum);
      }),
    );
  });

  it('is undefined without a validator', () => {
    expect(sumOfMultiples([5, 6], Uint8Array.of(0, 0), countingGroup())).toBeUndefined();
    expect(sumOfMultiples([], new Uint8Array(0), countingGroup())).toBeUndefined();
  });

  it('costs at most one addition per key and two per bucket', () => {
    fc.assert(
      fc.property(members, (all) => {
        const group = countingGroup();
        sumOfMultiples(
          all.map(({ key }) => key),
          Uint8Array.from(all, ({ count }) => count),
          group,
        );
        expect(group.additions).toBeLessThanOrEqual(all.length + 2 * 14);
      }),
    );
  });

  it('costs, with totals, one addition per validator that differs from its subcommittee, and few others', () => {
    const keys = Array.from({ length: 4 * 100 }, (_, member) => member + 1);
    // The subcommittees have different multiplicities, and five validators of each subcommittee did not vote.
    const counts = Uint8Array.from(keys, (_, member) => (member % 100 < 5 ? 0 : 3 + Math.floor(member / 100)));
    const group = countingGroup();
    const totals = keyTotals(keys, 100, group);
    group.additions = 0;
    const sum = sumOfMultiples(keys, counts, group, totals);
    expect(sum).toBe(keys.reduce((total, key, member) => total + key * counts[member]!, 0));
    expect(group.additions).toBeLessThanOrEqual(4 * 5 + 4 + 2 * 6);
  });

  it('subtracts validators below the multiplicity of their subcommittee, and adds those above', () => {
    const group = countingGroup();
    const negated: number[] = [];
    const counted: KeyGroup<number> = {
      addKeys: (a, b) => group.addKeys(a, b),
      negateKey: (key) => {
        negated.push(key);
        return -key;
      },
    };
    const keys = [10, 20, 30, 40, 50, 60, 70];
    const counts = Uint8Array.of(5, 5, 3, 0, 0, 2, 9);
    expect(sumOfMultiples(keys, counts, counted, keyTotals(keys, 3, group))).toBe(50 + 100 + 90 + 120 + 630);
    expect(negated).toEqual([30]);
    negated.length = 0;
    expect(sumOfMultiples(keys, counts, counted)).toBe(990);
    expect(negated).toEqual([]);
  });
});
