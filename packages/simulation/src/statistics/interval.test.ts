import { describe, expect, it } from 'vitest';
import { confidenceInterval } from './statistics.ts';

describe('confidenceInterval', () => {
  it.each([
    // The expected interval was computed by hand: mean 3, standard deviation sqrt(2.5), t 2.776 with 4 degrees of
    // freedom.
    { values: [1, 2, 3, 4, 5], half: (2.776 * Math.sqrt(2.5)) / Math.sqrt(5) },
    { values: [2, 4], half: 12.706 },
    { values: [3, 3, 3], half: 0 },
  ])('of $values is $half around the mean', ({ values, half }) => {
    const { low, high } = confidenceInterval(values)!;
    expect((low + high) / 2).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length);
    expect((high - low) / 2).toBeCloseTo(half);
  });

  it('uses the 97.5 % quantile of Student for up to 31 values, and the normal one for more', () => {
    // Probability of a value within t, computed with Simpson's rule: the area within t, divided by the total area. The
    // substitution x = tan(u) makes the range finite.
    const within = (t: number, degrees: number) => {
      const density = (u: number) => (1 + Math.tan(u) ** 2 / degrees) ** (-(degrees + 1) / 2) / Math.cos(u) ** 2;
      const area = (to: number, steps = 2000) => {
        let sum = 0;
        for (let step = 0; step <= steps; step++)
          sum += (step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2) * density((to * step) / steps);
        return (sum * to) / (3 * steps);
      };
      return area(Math.atan(t)) / area(Math.PI / 2 - 1e-6);
    };
    for (let count = 2; count <= 31; count++) {
      const values = Array.from({ length: count }, (_, index) => index);
      const { low, high } = confidenceInterval(values)!;
      const error = Math.sqrt((count * (count + 1)) / 12 / count);
      expect(within((high - low) / 2 / error, count - 1), `${count} values`).toBeCloseTo(0.95, 3);
    }
    const many = Array.from({ length: 32 }, (_, index) => index);
    expect((confidenceInterval(many)!.high - 15.5) / Math.sqrt((32 * 33) / 12 / 32)).toBeCloseTo(1.96, 9);
  });

  it.each([[[]], [[7]]])('is undefined for %j', (values) => expect(confidenceInterval(values)).toBeUndefined());
});
