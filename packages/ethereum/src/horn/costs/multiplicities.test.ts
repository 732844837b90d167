import { RandomStream } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { mergeableAggregates, multiplicityBytes, multiplicitySumAdditions } from '../costs.ts';

/**
 * Sums keys times multiplicities with buckets, with integers in place of points. Counts the additions, except those to
 * zero.
 */
function sumByBuckets(keys: readonly number[], multiplicities: readonly number[], bits: number) {
  const buckets = new Array<number>(2 ** bits).fill(0);
  keys.forEach((key, index) => {
    buckets[multiplicities[index]!]! += key;
  });
  const highest = 2 ** bits - 1;
  let running = buckets[highest]!;
  let sum = running;
  let additions = keys.length;
  for (let bucket = highest - 1; bucket > 0; bucket--) {
    running += buckets[bucket]!;
    sum += running;
    additions += 2;
  }
  return { sum, additions };
}

describe("Horn, 'Aggregation with four-bit integer vectors'", () => {
  it('needs four bits per validator, for up to 15 aggregates', () => {
    expect(multiplicityBytes(32_768, 4)).toBe(16_384);
    expect(multiplicityBytes(3, 4)).toBe(2);
    expect(mergeableAggregates(4)).toBe(15);
    expect(mergeableAggregates(1)).toBe(1);
  });

  it.each([1, 2, 4, 6])('with %i bits sums keys times multiplicities in the counted additions', (bits) => {
    const random = new RandomStream(bits, 'multiplicities');
    const keys = Array.from({ length: 500 }, () => random.nextBelow(1000));
    const multiplicities = keys.map(() => random.nextBelow(2 ** bits));
    const { sum, additions } = sumByBuckets(keys, multiplicities, bits);
    expect(sum).toBe(keys.reduce((total, key, index) => total + key * multiplicities[index]!, 0));
    expect(multiplicitySumAdditions(keys.length, bits)).toBe(additions);
  });
});
