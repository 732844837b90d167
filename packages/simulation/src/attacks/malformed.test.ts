import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached } from '../../test/attacked.ts';

describe('v1.03 2.3: malformed messages', () => {
  it('are refused for every possible reason, by code', () => {
    // With 37 nodes, some nodes have an empty level, and some blocks are not full.
    const result = attacked('malformed', { nodes: 37, threshold: 1 }, { until: 'fairness', giveUpAfterMs: 3000 });
    expectAllReached(result);
    const byTheDecoder = [
      ...['truncated', 'trailing-bytes', 'unknown-version', 'unknown-flags', 'level-out-of-range', 'level-empty'],
      ...['sender-not-in-peer-set', 'empty-set', 'bit-beyond-end', 'unknown-set-form'],
    ];
    const byTheNode = [...['wrong-span', 'not-individual', 'blacklisted']];
    expect(Object.keys(result.refused)).toEqual(expect.arrayContaining([...byTheDecoder, ...byTheNode]));
  });

  it('cost little more than silence', () => {
    const [silent, result] = ['silent', 'malformed'].map((name) => attacked(name, { nodes: 128 }));
    expect(result!.timeToThresholdMs.mean).toBeLessThan(1.1 * silent!.timeToThresholdMs.mean);
  });
});
