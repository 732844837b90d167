import { describe, expect, it } from 'vitest';
import { batchedAdditionMultiplications, mixedAdditionMultiplications } from '../costs.ts';

/**
 * Counts multiplications while adding `points` points pair by pair in rounds. A pair takes 3 multiplications, and 3 for
 * its part in the round's inversion.
 */
function counted(points: number, inversion: number): number {
  let multiplications = 0;
  for (let left = points; left > 1; left = Math.ceil(left / 2)) multiplications += 6 * Math.floor(left / 2) + inversion;
  return multiplications;
}

describe('batched affine additions', () => {
  it.each([2, 3, 13, 512, 513, 32_768])('of %i points cost the counted additions round by round', (points) => {
    expect(batchedAdditionMultiplications(points) * (points - 1)).toBeCloseTo(counted(points, 460), 6);
  });

  it('save time for a committee, and not for a few points, because of the inversion', () => {
    expect(batchedAdditionMultiplications(32_768)).toBeLessThan(0.6 * mixedAdditionMultiplications);
    expect(batchedAdditionMultiplications(16)).toBeGreaterThan(mixedAdditionMultiplications);
  });
});
