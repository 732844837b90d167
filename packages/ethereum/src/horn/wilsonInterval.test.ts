import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../statistics.ts';

describe('the interval of a probability', () => {
  it('is defined if the event never occurred, or always', () => {
    expect(wilsonInterval(0, 1000)[0]).toBe(0);
    expect(wilsonInterval(0, 1000)[1]).toBeCloseTo(3.29 ** 2 / (1000 + 3.29 ** 2), 12);
    expect(wilsonInterval(1000, 1000)[1]).toBe(1);
  });

  it('consists of the probabilities from which the count is 3.29 standard deviations away', () => {
    for (const count of [1, 30, 500, 999]) {
      for (const chance of wilsonInterval(count, 1000)) {
        const deviation = Math.sqrt((chance * (1 - chance)) / 1000);
        expect(Math.abs(count / 1000 - chance) / deviation).toBeCloseTo(3.29, 8);
      }
    }
  });
});
