import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upTo } from '../test/sizes.ts';
import { mix32, RandomStream } from './random.ts';

describe('RandomStream', () => {
  it('returns the same numbers for a seed and a purpose in every version, because every digest depends on them', () => {
    const random = new RandomStream(1, 'placement');
    expect(upTo(4).map(() => random.nextUint32())).toMatchInlineSnapshot(`
      [
        145745517,
        52457680,
        1001616530,
        3484164115,
      ]
    `);
  });

  it('returns other numbers for another seed or another purpose', () => {
    const first = (seed: number, purpose: string): string => {
      const random = new RandomStream(seed, purpose);
      return upTo(4)
        .map(() => random.nextUint32())
        .join();
    };
    const streams = upTo(500).flatMap((seed) => ['', 'a', 'b', 'ab', 'ba'].map((purpose) => first(seed, purpose)));
    expect(new Set(streams).size).toBe(streams.length);
  });

  it('distinguishes all 32-bit seeds', () => {
    expect(new RandomStream(2 ** 32 - 1, 'x').nextUint32()).not.toBe(new RandomStream(0, 'x').nextUint32());
    expect(new RandomStream(2 ** 31, 'x').nextUint32()).not.toBe(new RandomStream(0, 'x').nextUint32());
  });

  it('stays within its ranges', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 2 ** 20 }), (seed, bound) => {
        const random = new RandomStream(seed, 'ranges');
        for (let draw = 0; draw < 20; draw++) {
          const uint32 = random.nextUint32();
          expect(Number.isInteger(uint32) && uint32 >= 0 && uint32 < 2 ** 32).toBe(true);
          const unit = random.nextUnit();
          expect(unit >= 0 && unit < 1).toBe(true);
          const below = random.nextBelow(bound);
          expect(Number.isInteger(below) && below >= 0 && below < bound).toBe(true);
        }
      }),
    );
  });

  it('has a uniform distribution', () => {
    const random = new RandomStream(5, 'evenly');
    const counts = upTo(16).map(() => 0);
    for (let draw = 0; draw < 32_000; draw++) counts[random.nextBelow(16)]!++;
    // With 15 degrees of freedom, a random value exceeds 37.7 once in a thousand times.
    expect(counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)).toBeLessThan(37.7);
  });
});

describe('mix32', () => {
  it('is injective', () => {
    const images = new Set<number>();
    for (let value = -50_000; value < 50_000; value++) images.add(mix32(value));
    expect(images.size).toBe(100_000);
  });
});
