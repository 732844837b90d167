import { type Contribution, CountingScheme, Tree } from '@tutti/core';
import { expect, it } from 'vitest';
import { contributionOf, forgeryOf } from '../../../core/test/sets.ts';
import { Deferred } from './deferred.ts';

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
