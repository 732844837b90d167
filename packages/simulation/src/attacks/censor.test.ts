import { describe, expect, it } from 'vitest';
import { attacked, fairnessMs } from '../../test/attacked.ts';

describe('v1.03 4.1 (3): heavy contributions that leave an honest node out', () => {
  it('2.4, fairness: individual contributions get it in everywhere, later than it would be', () => {
    for (const seed of [1, 2, 3]) {
      expect(fairnessMs('censor', { seed })).toBeGreaterThan(fairnessMs('silent', { seed }));
    }
  });

  it('3.1: where messages carry aggregates alone it never gets in', () => {
    for (const seed of [1, 2, 3]) {
      expect(() => fairnessMs('censor', { seed, without: ['individual-contributions'] }, 10_000)).toThrow(
        'expected an output with every live honest node',
      );
    }
  });

  it('draws its victim by the seed: the same run for the same seed, another one for another', () => {
    const digests = [1, 1, 2].map((seed) => attacked('censor', { seed }).digest);
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  it('3.1: which would do where nobody is censored', () => {
    expect(fairnessMs('silent', { without: ['individual-contributions'] })).toBeLessThan(2000);
  });
});
