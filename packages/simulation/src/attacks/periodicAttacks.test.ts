import { expect, it } from 'vitest';
import { attacked, expectAllReached } from '../../test/attacked.ts';

it('v1.03 3.5.2: a flood is refused after its senders are blacklisted, and until then the victim stores one contribution of each', () => {
  const result = attacked('flood', { nodes: 128 });
  expectAllReached(result);
  expect(result.refused.blacklisted).toBeGreaterThan(1000);
  expect(result.messagesReceived.max).toBeGreaterThan(10 * result.messagesReceived.min);
});

it('v1.03 3.5.2: a flood makes a victim store more and more without a limit per sender', () => {
  for (const seed of [1, 2, 3])
    expect(() => attacked('flood', { seed, without: ['bounded-queue'] })).toThrow(/^memory: /);
});

it('v1.03 2.3: spoofed senders have no effect if channels are authenticated', () => {
  const result = attacked('spoof');
  expectAllReached(result);
  expect(result.refused.forged).toBeGreaterThan(1000);
  expect(result.checkedInvalid.max).toBe(0);
  expect(result.timeToThresholdMs).toEqual(attacked('silent').timeToThresholdMs);
});

it.each([{}, { nodes: 37 }, { branching: 4 as const }])(
  'v1.03 2.3: spoofed senders get honest nodes blacklisted otherwise, and some never reach the threshold: %j',
  (tree) => {
    const open = { ...tree, authenticated: false };
    const { reached, live, checkedInvalid, refused } = attacked('spoof', open, { giveUpAfterMs: 5000 });
    expect(Object.keys(refused)).toEqual(['blacklisted']);
    expect(checkedInvalid.mean).toBeGreaterThan(10);
    expect(reached).toBeLessThan(live);
  },
);

it('v1.03 2.3: malformed messages are refused for every possible reason, by code', () => {
  // With 37 nodes, some nodes have an empty level, and some blocks are not full.
  const result = attacked('malformed', { nodes: 37, threshold: 1 }, { until: 'fairness', giveUpAfterMs: 3000 });
  expectAllReached(result);
  const codes = [
    ...['truncated', 'trailing-bytes', 'unknown-version', 'unknown-flags', 'level-out-of-range', 'level-empty'],
    ...['sender-not-in-peer-set', 'empty-set', 'bit-beyond-end', 'unknown-set-form'],
    ...['wrong-span', 'not-individual', 'blacklisted'],
  ];
  expect(Object.keys(result.refused)).toEqual(expect.arrayContaining(codes));
});

it('v1.03 2.3: malformed messages cost little more than silence', () => {
  const [silent, result] = ['silent', 'malformed'].map((name) => attacked(name, { nodes: 128 }));
  expect(result!.timeToThresholdMs.mean).toBeLessThan(1.1 * silent!.timeToThresholdMs.mean);
});
