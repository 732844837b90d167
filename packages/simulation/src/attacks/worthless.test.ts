import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached, meanOver } from '../../test/attacked.ts';

const seeds = [1, 2, 3];

describe('v1.03 4.1 (3): worthless contributions in front of honest ones', () => {
  it('are verified if there is no better one, and add their signer', () => {
    const result = attacked('worthless', { nodes: 128 });
    expectAllReached(result);
    expect(result.checkedInvalid.max).toBe(0);
    expect(result.checked.mean).toBeGreaterThan(attacked('silent', { nodes: 128 }).checked.mean);
  });

  it('3.3: without score and window, more of them are verified because of their rank', () => {
    const checked = (without: ('score' | 'window')[]): number =>
      meanOver(seeds, (seed) => attacked('worthless', { nodes: 128, seed, without }, { checkers: false }).checked.mean);
    expect(checked(['score', 'window'])).toBeGreaterThan(1.1 * checked([]));
  });
});

describe('v1.03 4.1 (4): a mixture', () => {
  it('reduces the window with invalid contributions, and gets worthless ones verified by rank', () => {
    const checks = (name: string): number =>
      meanOver(seeds, (seed) => {
        const { checked, checkedInvalid } = attacked(name, { nodes: 128, seed });
        return checked.mean - checkedInvalid.mean;
      });
    expect(checks('mixed')).toBeGreaterThan(checks('invalid'));
    expect(attacked('mixed', { nodes: 128 }).checkedInvalid.mean).toBeGreaterThan(5);
  });
});
