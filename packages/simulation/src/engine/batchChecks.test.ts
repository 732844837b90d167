import { type Contribution, CountingScheme, Tree } from '@tutti/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contributionOf, forgeryOf } from '../../../core/test/sets.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { batchChecks, batchCost, Deferred } from './batchChecks.ts';

const valid = (count: number): boolean[] => upTo(count).map(() => true);

describe('batchChecks', () => {
  it('costs one check of a + b n if all are valid', () => {
    for (const count of [2, 3, 8, 32]) {
      const { checks, cost } = batchChecks(valid(count));
      expect(checks).toBe(1);
      expect(cost).toBeCloseTo(1.1 + 0.14 * count, 10);
    }
  });

  it('equals one verification for a single contribution', () => {
    expect(batchChecks([true])).toEqual({ checks: 1, cost: batchCost.read + batchCost.checkOfOne });
    expect(batchChecks([false])).toEqual(batchChecks([true]));
    expect(batchCost.read + batchCost.checkOfOne).toBeCloseTo(1, 10);
  });

  it('finds one invalid contribution of two by a further check of the first, which implies the second', () => {
    expect(batchChecks([true, false]).checks).toBe(2);
    expect(batchChecks([false, true]).checks).toBe(3);
  });

  it('halves: one invalid contribution among n costs at most 2 log2(n) further checks', () => {
    for (const order of [2, 3, 4, 5]) {
      for (const liar of upTo(2 ** order)) {
        const { checks } = batchChecks(valid(2 ** order).with(liar, false));
        expect(checks).toBeLessThanOrEqual(1 + 2 * order);
        expect(checks).toBeGreaterThanOrEqual(1 + order);
      }
    }
  });

  it('costs at most one and a half times as much as verifying each singly, plus four checks', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 32 }), (verdicts) => {
        expect(batchChecks(verdicts).cost).toBeLessThanOrEqual(1.5 * verdicts.length + 4);
      }),
    );
  });
});

/** A counting scheme that records the size of each verified batch. */
class BatchScheme extends CountingScheme {
  readonly batches: number[] = [];

  verifyBatch(contributions: readonly Contribution[]): boolean[] {
    this.batches.push(contributions.length);
    return contributions.map((one) => this.verify(one));
  }
}

it('verifies all waiting contributions together when the first verdict is needed, and on each request', () => {
  const scheme = new BatchScheme(new Tree(8));
  const deferred = new Deferred(scheme);
  const [good, bad] = [contributionOf(scheme, 2, [0, 1]), forgeryOf(scheme, 3, [4, 5])];
  const verdicts: boolean[] = [];
  const places = [good, bad, good].map((one) => deferred.ask(one, (valid) => verdicts.push(valid)));
  expect([scheme.batches, verdicts]).toEqual([[], []]);
  expect(deferred.answer(places[1]!)).toBe(false);
  expect([scheme.batches, verdicts]).toEqual([[3], [true, false, true]]);
  const later = deferred.ask(bad, (valid) => verdicts.push(valid));
  expect([deferred.answer(places[0]!), deferred.answer(places[2]!), deferred.answer(later)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(scheme.batches).toEqual([3, 1]);
  deferred.settle();
  expect(scheme.batches).toEqual([3, 1]);
});

it('retains a contribution until it is verified, and no longer', () => {
  const scheme = new BatchScheme(new Tree(64));
  const deferred = new Deferred(scheme);
  const one = contributionOf(scheme, 1, [0, 40]);
  const place = deferred.ask(one, () => {});
  scheme.release(one);
  expect(scheme.weight(one)).toBe(2);
  expect(deferred.answer(place)).toBe(true);
  expect(() => scheme.release(one)).toThrow(/released more often/);
});
