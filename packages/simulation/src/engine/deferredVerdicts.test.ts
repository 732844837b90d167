import { type Contribution, CountingScheme, Tree } from '@tutti/core';
import { expect, it } from 'vitest';
import { contributionOf, forgeryOf } from '../../../core/test/sets.ts';
import { DeferredVerdicts } from './deferredVerdicts.ts';

class BatchScheme extends CountingScheme {
  readonly batches: number[] = [];

  verifyBatch(contributions: readonly Contribution[]): boolean[] {
    this.batches.push(contributions.length);
    return contributions.map((one) => this.verify(one));
  }
}

it('verifies all waiting contributions together when the first verdict is needed, and on each request', () => {
  const scheme = new BatchScheme(new Tree(8));
  const deferred = new DeferredVerdicts(scheme);
  const [good, bad] = [contributionOf(scheme, 2, [0, 1]), forgeryOf(scheme, 3, [4, 5])];
  const verdicts: boolean[] = [];
  const indices = [good, bad, good].map((one) => deferred.request(one, (valid) => verdicts.push(valid)));
  expect([scheme.batches, verdicts]).toEqual([[], []]);
  expect(deferred.take(indices[1]!)).toBe(false);
  expect([scheme.batches, verdicts]).toEqual([[3], [true, false, true]]);
  const later = deferred.request(bad, (valid) => verdicts.push(valid));
  expect([deferred.take(indices[0]!), deferred.take(indices[2]!), deferred.take(later)]).toEqual([true, true, false]);
  expect(scheme.batches).toEqual([3, 1]);
  deferred.settle();
  expect(scheme.batches).toEqual([3, 1]);
});

it('retains a contribution until it is verified, and no longer', () => {
  const scheme = new BatchScheme(new Tree(64));
  const deferred = new DeferredVerdicts(scheme);
  const one = contributionOf(scheme, 1, [0, 40]);
  const index = deferred.request(one, () => {});
  scheme.release(one);
  expect(scheme.weight(one)).toBe(2);
  expect(deferred.take(index)).toBe(true);
  expect(() => scheme.release(one)).toThrow(/released more often/);
});
