import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberKernel as kernel, signatureOf } from '../../test/numberKernel.ts';
import {
  type KeyGroup,
  keyTotals,
  type MultiplicityContribution,
  MultiplicityScheme,
  multiplicityCodeBytes,
  sumOfMultiples,
  writeMultiplicities,
} from './multiplicities.ts';

describe("Horn, 'Aggregation with four-bit integer vectors': the vector on the wire", () => {
  it('has four times the length of a bitfield: 16,384 bytes for a committee, 8 MB for all collections', () => {
    expect(multiplicityCodeBytes(32_768)).toBe(4 * 4096);
    expect(512 * multiplicityCodeBytes(32_768)).toBe(8_388_608);
    expect([1, 2, 3, 13, 17].map(multiplicityCodeBytes)).toEqual([1, 1, 2, 7, 9]);
  });

  it('has the first validator in the low half of the first byte', () => {
    expect(writeMultiplicities(Uint8Array.of(2, 1, 15))).toEqual(Uint8Array.of(0x12, 0x0f));
  });
});

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

const members = fc.array(fc.record({ key: fc.nat(1000), count: fc.integer({ min: 0, max: 15 }) }), {
  maxLength: 90,
});

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
        const counts = Uint8Array.from(all, ({ count }) => count);
        const keys = all.map(({ key }) => key);
        sumOfMultiples(keys, counts, group);
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
    expect(() => keyTotals(keys, 0, group)).toThrow('span: expected an integer from 1 to 16777216, got 0');
  });
});

const subcommittee = 7;
/** Key of each validator, which is also the validator's signature. */
const keys = Array.from({ length: 4 * subcommittee }, (_, member) => member + 1);
const scheme = new MultiplicityScheme(keys, subcommittee, kernel);
const committee = { first: 0, number: 4 };

/** Returns the valid aggregate over one subcommittee for the validators whose bits are set. */
function aggregateOf(first: number, bits: readonly number[]): MultiplicityContribution {
  const sum = bits.reduce((total, bit, member) => total + bit * keys[first * subcommittee + member]!, 0);
  return scheme.contribution({ first, number: 1 }, bits, signatureOf(sum));
}

const someBits = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: subcommittee, maxLength: subcommittee });
const aggregates = fc.array(fc.record({ first: fc.nat(3), bits: someBits }), { minLength: 2, maxLength: 15 });

function merged(parts: readonly MultiplicityContribution[]): MultiplicityContribution {
  return parts.reduce((sum, part) => {
    const made = scheme.aggregate(committee, sum, part);
    if (made === undefined) throw new Error('over 15');
    return made;
  });
}

describe("Horn, 'Aggregation with four-bit integer vectors'", () => {
  it("merges the post's overlapping bitfields (1,0,0) and (1,1,1) into (2,1,1)", () => {
    const small = new MultiplicityScheme([1, 2, 3], 3, kernel);
    const over = { first: 0, number: 1 };
    const signature = signatureOf(1);
    const one = small.contribution(over, [1, 0, 0], signature);
    signature.fill(0); // the caller may reuse the bytes
    const all = small.contribution(over, [1, 1, 1], signatureOf(6));
    const both = small.aggregate(over, one, all)!;
    expect([...both.counts]).toEqual([2, 1, 1]);
    expect(small.weight(both)).toBe(3);
    expect(small.verify(both)).toBe(true);
  });

  it('up to 15 aggregates of any subcommittees merge: counts add up, the weight counts each validator once, and the sum verifies', () => {
    fc.assert(
      fc.property(aggregates, (all) => {
        const sum = merged(all.map(({ first, bits }) => aggregateOf(first, bits)));
        const has = ({ first, bits }: (typeof all)[0], member: number) => bits[member - first * subcommittee] === 1;
        const counts = keys.map((_, member) => all.filter((one) => has(one, member)).length);
        expect([...sum.counts]).toEqual(counts);
        expect(scheme.weight(sum)).toBe(counts.filter((count) => count > 0).length);
        expect(scheme.verify(sum)).toBe(scheme.weight(sum) > 0);
      }),
    );
  });

  it('a sixteenth aggregate with the same validator does not fit, and one without it does', () => {
    const fifteen = merged(Array.from({ length: 15 }, () => aggregateOf(2, [1, 0, 0, 0, 0, 0, 0])));
    expect(fifteen.counts[2 * subcommittee]).toBe(15);
    expect(scheme.verify(fifteen)).toBe(true);
    expect(scheme.aggregate(committee, fifteen, aggregateOf(2, [1, 1, 0, 0, 0, 0, 0]))).toBeUndefined();
    const more = scheme.aggregate(committee, fifteen, aggregateOf(2, [0, 1, 0, 0, 0, 0, 0]))!;
    expect(scheme.weight(more)).toBe(2);
    expect(scheme.verify(more)).toBe(true);
  });

  it('verifies over some subcommittees with their own keys, at any position', () => {
    const bits = [1, 0, 1, 1, 0, 1, 1];
    for (let first = 0; first < 4; first++) {
      const one = aggregateOf(first, bits);
      expect(scheme.verify(one), `${first}`).toBe(true);
      for (let other = 0; other < 4; other++)
        expect(scheme.verify({ ...one, over: { first: other, number: 1 } })).toBe(other === first);
      if (first === 3) continue;
      const over = { first, number: 2 };
      const two = scheme.aggregate(over, one, aggregateOf(first + 1, bits))!;
      expect(scheme.verify(two)).toBe(true);
      expect(scheme.verify({ ...two, over: { first: first === 0 ? 1 : first - 1, number: 2 } })).toBe(false);
    }
  });

  it('is invalid after any change of a multiplicity, although the set of validators is unchanged', () => {
    const sum = merged([aggregateOf(1, [1, 1, 0, 1, 0, 0, 1]), aggregateOf(1, [1, 0, 1, 1, 0, 0, 0])]);
    sum.counts.forEach((count, member) => {
      for (let other = 0; other <= 15; other++) {
        const changed = { ...sum, counts: sum.counts.with(member, other) };
        expect(scheme.verify(changed)).toBe(other === count);
      }
    });
  });

  it('decodes to the encoded vector, before and after merging', () => {
    fc.assert(
      fc.property(aggregates, (all) => {
        const sum = merged(all.map(({ first, bits }) => aggregateOf(first, bits)));
        fc.pre(scheme.weight(sum) > 0);
        const bytes = scheme.encode(sum);
        expect(bytes.length).toBe(14 + 96);
        const read = scheme.decode(committee, bytes);
        if (!read.ok) throw new Error(read.code);
        expect(read.contribution.counts).toEqual(sum.counts);
        expect(scheme.verify(read.contribution)).toBe(true);
        expect(scheme.encode(read.contribution)).toEqual(bytes);
      }),
    );
  });

  it('refuses a received vector by code, never by an exception: one byte more or less, no validator, a count beyond the end', () => {
    const over = { first: 1, number: 1 };
    const bytes = scheme.encode(aggregateOf(1, [1, 1, 1, 1, 1, 1, 1]));
    expect(scheme.decode(over, bytes).ok).toBe(true);
    for (const other of [bytes.subarray(1), Uint8Array.of(...bytes, 0), new Uint8Array(0)])
      expect(scheme.decode(over, other)).toEqual({ ok: false, code: 'wrong-length' });
    expect(scheme.decode(over, bytes.slice().fill(0, 0, 4))).toEqual({ ok: false, code: 'empty-set' });
    expect(scheme.decode(over, bytes.with(3, 0x11))).toEqual({ ok: false, code: 'count-beyond-end' });
  });
});
