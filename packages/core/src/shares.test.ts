import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizes } from '../test/sizes.ts';
import { partOf, requireThreshold, thresholdCount, thresholdText } from './shares.ts';

describe('thresholdCount', () => {
  it('rounds a share up: a lone node of two has not 99 %, and six of ten are under two thirds', () => {
    expect(thresholdCount(0.99, 2)).toBe(2);
    expect(thresholdCount(0.67, 10)).toBe(7);
    expect(thresholdCount(2 / 3, 10)).toBe(7);
    expect(thresholdCount(0.51, 4)).toBe(3);
  });

  it('is exact for every whole percent, on both sides of the integer', () => {
    expect(0.29 * 100).toBeLessThan(29);
    expect(0.07 * 100).toBeGreaterThan(7);
    for (let percent = 1; percent <= 100; percent++) {
      for (const count of [...sizes, 10, 90, 100, 1000, 4000, 2 ** 20]) {
        const exact = Number((BigInt(percent) * BigInt(count) + 99n) / 100n);
        expect(thresholdCount(percent / 100, count), `${percent} % of ${count}`).toBe(exact);
      }
    }
  });

  it('is at least the share, by less than one more, and at least 1', () => {
    const share = fc.double({ min: 0, minExcluded: true, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, fc.integer({ min: 1, max: 2 ** 20 }), (of, count) => {
        const asked = thresholdCount(of, count);
        expect(asked).toBeGreaterThanOrEqual(Math.max(1, of * count - 1e-8));
        expect(asked).toBeLessThan(Math.max(1, of * count) + 1);
        expect(asked).toBeLessThanOrEqual(count);
      }),
    );
  });

  it('accepts a count from 2 unchanged, and 1 as all nodes', () => {
    expect(thresholdCount(67, 100)).toBe(67);
    expect(thresholdCount(67, 50)).toBe(67);
    expect(thresholdCount(2, 100)).toBe(2);
    expect(thresholdCount(1, 100)).toBe(100);
  });
});

it('requireThreshold names the expected value', () => {
  const fault = 'threshold: expected a share greater than 0 and at most 1, or a count of at least 2, got ';
  for (const bad of [0, -1, 1.01, 2.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => requireThreshold('threshold', bad, 100)).toThrow(new RangeError(`${fault}${bad}`));
  expect(() => requireThreshold('threshold', 101, 100)).toThrow(
    new RangeError('threshold: expected a share, or a count of at most 100, got 101'),
  );
  for (const good of [Number.MIN_VALUE, 0.67, 1, 2, 100]) requireThreshold('threshold', good, 100);
});

it('thresholdText returns the percentage or the count', () => {
  const texts = [0.99, 0.29, 0.07, 1 / 3, 1, 67].map(thresholdText);
  expect(texts).toEqual(['99 %', '29 %', '7 %', '33.3333333333 %', '100 %', '67']);
});

it('partOf rounds down and is exact for every whole percent', () => {
  for (let percent = 0; percent <= 100; percent++) {
    for (const count of [...sizes, 10, 90, 100, 1000, 2 ** 20]) {
      const exact = Number((BigInt(percent) * BigInt(count)) / 100n);
      expect(partOf(count, percent / 100), `${percent} % of ${count}`).toBe(exact);
    }
  }
});
