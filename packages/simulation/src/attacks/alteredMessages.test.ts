import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached, fairnessMs } from '../../test/attacked.ts';

describe('v1.03 2.3: equivocation', () => {
  it('sends valid, invalid, light and heavy contributions of one node to different peers', () => {
    const result = attacked('equivocate', { nodes: 128 });
    expectAllReached(result);
    expect(result.checkedInvalid.mean).toBeGreaterThan(0);
    expect(result.refused.blacklisted).toBeGreaterThan(0);
  });

  it('2.4: has no effect, because no node assumes that two others received the same', () => {
    for (const seed of [1, 2, 3]) {
      expect(fairnessMs('equivocate', { seed })).toBeLessThan(1.5 * fairnessMs('silent', { seed }));
    }
  });
});
