import fc from 'fast-check';
import { expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import { batchChecks, batchCost } from './batchChecks.ts';

const valid = (count: number): boolean[] => upTo(count).map(() => true);

it('batchChecks costs one check of a + b n if all are valid', () => {
  for (const count of [2, 3, 8, 32]) {
    const { checks, cost } = batchChecks(valid(count));
    expect(checks).toBe(1);
    expect(cost).toBeCloseTo(1.1 + 0.14 * count, 10);
  }
});

it('batchChecks equals one verification for a single contribution', () => {
  expect(batchChecks([true])).toEqual({ checks: 1, cost: batchCost.read + batchCost.checkOfOne });
  expect(batchChecks([false])).toEqual(batchChecks([true]));
  expect(batchCost.read + batchCost.checkOfOne).toBeCloseTo(1, 10);
});

it('batchChecks costs at most one and a half times as much as verifying each singly, plus four checks', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 32 }), (verdicts) => {
      expect(batchChecks(verdicts).cost).toBeLessThanOrEqual(1.5 * verdicts.length + 4);
    }),
  );
});
