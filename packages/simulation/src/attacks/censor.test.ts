import { describe, expect, it } from 'vitest';
import { fairnessMs } from '../../test/attacked.ts';

describe('v1.03 4.1 (3): heavy contributions that exclude an honest node', () => {
  it.each([1, 2, 3])(
    '2.4, 3.1: its contribution reaches all nodes late, and never with aggregates only: %i',
    (seed) => {
      expect(fairnessMs('censor', { seed })).toBeGreaterThan(fairnessMs('silent', { seed }));
      expect(() => fairnessMs('censor', { seed, without: ['individual-contributions'] }, 10_000)).toThrow(
        'expected an output with every live honest node',
      );
    },
  );

  it('3.1: aggregates only are sufficient without censorship', () => {
    expect(fairnessMs('silent', { without: ['individual-contributions'] })).toBeLessThan(2000);
  });
});
