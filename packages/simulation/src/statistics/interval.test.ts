import { RandomStream } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { confidenceInterval } from './interval.ts';

describe('confidenceInterval', () => {
  it.each([
    // By hand: mean 3, standard deviation sqrt(2.5), t 2.776 with 4 degrees of freedom.
    { values: [1, 2, 3, 4, 5], half: (2.776 * Math.sqrt(2.5)) / Math.sqrt(5) },
    { values: [2, 4], half: 12.706 },
    { values: [3, 3, 3], half: 0 },
  ])('of $values reaches $half around the mean', ({ values, half }) => {
    const { low, high } = confidenceInterval(values)!;
    expect((low + high) / 2).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length);
    expect((high - low) / 2).toBeCloseTo(half);
  });

  it.each([[[]], [[7]]])('there is none of %j', (values) => expect(confidenceInterval(values)).toBeUndefined());

  it.each([2, 5, 40])('holds the mean about 95 times of 100, from %i values', (count) => {
    const random = new RandomStream(1, 'interval');
    const normal = () => {
      const radius = Math.sqrt(-2 * Math.log(1 - random.nextUnit()));
      return 10 + 3 * radius * Math.cos(2 * Math.PI * random.nextUnit());
    };
    const tries = 4000;
    let held = 0;
    for (let i = 0; i < tries; i++) {
      const { low, high } = confidenceInterval(Array.from({ length: count }, normal))!;
      if (low <= 10 && 10 <= high) held++;
    }
    expect(held / tries).toBeGreaterThan(0.94);
    expect(held / tries).toBeLessThan(0.96);
  });
});
