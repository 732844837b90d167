import { describe, expect, it } from 'vitest';
import { StateBench } from '../../../test/handel.ts';
import { grownBy, rankOf } from './state.ts';

describe('rankOf', () => {
  it('v1.0 3.6: is the priority plus one span for each verified contribution', () => {
    const { state } = new StateBench({ nodes: 16 });
    expect(rankOf(state, 9)).toBe(9);
    state.peers.countVerified(9);
    state.peers.countVerified(9);
    expect([rankOf(state, 9), rankOf(state, 10)]).toEqual([9 + 2 * 16, 10]);
  });

  it('equals the priority if ranks do not grow', () => {
    const { state } = new StateBench({ nodes: 16, config: { without: ['rank-growth'] } });
    state.peers.countVerified(9);
    expect(rankOf(state, 9)).toBe(9);
  });
});

describe('grownBy', () => {
  it('increases up to 32,766 times at N = 65,536, and 2,046 times at 2^20', () => {
    for (const [span, most] of [
      [65_536, 32_766],
      [2 ** 20, 2_046],
    ] as const) {
      expect([most - 1, most, most + 1, 1e6].map((verified) => grownBy(span, verified) / span)).toEqual([
        ...[most - 1, most, most, most],
      ]);
      // Even with the largest rank added, the sum fits into 31 bits.
      expect(grownBy(span, 1e6) + span - 1).toBeLessThan(2 ** 31);
    }
  });
});
