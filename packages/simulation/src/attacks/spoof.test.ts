import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached, fairnessMs } from '../../test/attacked.ts';

describe('v1.03 2.3: spoofed senders', () => {
  it('have no effect if channels are authenticated', () => {
    const result = attacked('spoof');
    expectAllReached(result);
    expect(result.refused.forged).toBeGreaterThan(1000);
    expect(result.checkedInvalid.max).toBe(0);
    expect(result.timeToThresholdMs).toEqual(attacked('silent').timeToThresholdMs);
  });

  it('get honest nodes blacklisted otherwise, and some never reach the threshold', () => {
    const open = { authenticated: false } as const;
    const { reached, live, checkedInvalid } = attacked('spoof', open, { giveUpAfterMs: 5000 });
    expect(checkedInvalid.mean).toBeGreaterThan(10);
    expect(reached).toBeLessThan(live);
    expect(() => fairnessMs('spoof', open, 5000)).toThrow();
  });
});
