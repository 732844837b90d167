import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomial } from '../statistics.ts';

describe('the binomial distribution', () => {
  it('equals counting for small parameters', () => {
    expect([...binomial(2, 0.5)]).toEqual([0.25, 0.5, 0.25]);
    expect(binomial(3, 1 / 3)[1]).toBeCloseTo(12 / 27, 14);
  });

  it('is certain at both ends', () => {
    expect([...binomial(3, 0)]).toEqual([1, 0, 0, 0]);
    expect([...binomial(3, 1)]).toEqual([0, 0, 0, 1]);
    expect([...binomial(0, 0.5)]).toEqual([1]);
  });

  it('sums to 1 with its mean and variance, for any size and probability', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, chance) => {
        const probabilities = [...binomial(trials, chance)];
        const moment = (of: (count: number) => number) =>
          probabilities.reduce((sum, probability, count) => sum + probability * of(count), 0);
        expect(moment(() => 1)).toBeCloseTo(1, 12);
        expect(moment((count) => count) / trials).toBeCloseTo(chance, 10);
        expect(moment((count) => (count - trials * chance) ** 2) / trials).toBeCloseTo(chance * (1 - chance), 7);
      }),
    );
  });
});
