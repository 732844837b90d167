import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached } from '../../test/attacked.ts';

describe('v1.03 3.5.2: a flood', () => {
  it('is refused after its senders are blacklisted, and until then the victim stores one contribution of each', () => {
    const result = attacked('flood', { nodes: 128 });
    expectAllReached(result);
    expect(result.refused.blacklisted).toBeGreaterThan(1000);
    expect(result.messagesReceived.max).toBeGreaterThan(10 * result.messagesReceived.min);
  });

  it('makes a victim store more and more without a limit per sender', () => {
    for (const seed of [1, 2, 3]) {
      expect(() => attacked('flood', { seed, without: ['bounded-queue'] })).toThrow(/^memory: /);
    }
  });
});
