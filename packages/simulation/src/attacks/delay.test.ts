import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached } from '../../test/attacked.ts';

describe('v1.03 2.3: a network adversary that delays messages', () => {
  const alone = { attacks: [{ name: 'delay', share: 0 }] };

  it('requires no nodes', () => {
    const result = attacked('delay', alone);
    expect(result.live).toBe(64);
    expectAllReached(result);
  });

  it('costs a bounded delay per step for logarithmically many steps, and no node its output', () => {
    for (const nodes of [16, 64, 256]) {
      const plain = attacked('silent', { nodes, attacks: [] });
      const delayed = attacked('delay', { nodes, ...alone });
      expectAllReached(delayed);
      const more = delayed.timeToThresholdMs.mean - plain.timeToThresholdMs.mean;
      expect(more).toBeGreaterThan(200);
      expect(more).toBeLessThan(200 * Math.log2(nodes));
    }
  });
});
