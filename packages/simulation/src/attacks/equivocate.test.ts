import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached, fairnessMs } from '../../test/attacked.ts';

describe('v1.03 2.3: equivocation', () => {
  it('has peers hear valid, invalid, light and heavy things of one node', () => {
    const result = attacked('equivocate', { nodes: 128 });
    expectAllReached(result);
    expect(result.checkedInvalid.mean).toBeGreaterThan(0);
    expect(result.refused.blacklisted).toBeGreaterThan(0);
  });

  it('2.4: comes to nothing, for no node relies on two others having heard the same', () => {
    for (const seed of [1, 2, 3]) {
      expect(fairnessMs('equivocate', { seed })).toBeLessThan(1.5 * fairnessMs('silent', { seed }));
    }
  });
});
