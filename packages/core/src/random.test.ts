import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizes, upTo } from '../test/sizes.ts';
import { invert, RandomStream, shuffle, shuffleBy } from './random.ts';

describe('RandomStream', () => {
  it('returns the same numbers for a seed and a purpose in every version, because every digest depends on them', () => {
    const random = new RandomStream(1, 'placement');
    expect(upTo(4).map(() => random.nextUint32())).toEqual([145745517, 52457680, 1001616530, 3484164115]);
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
});

describe('shuffle', () => {
  it('is a permutation of [0, size)', () => {
    for (const size of [0, ...sizes, 1000]) expect([...shuffle(size, 7)].sort((a, b) => a - b)).toEqual(upTo(size));
  });

  it('differs by seed and by purpose', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      for (const purpose of ['placement', 'dead', 'regions', 'daed']) seen.add(shuffle(32, seed, purpose).join());
    }
    expect(seen.size).toBe(800);
  });

  it('v1.0 4.3: puts each registry entry into each position equally often over seeds', () => {
    const size = 6;
    const draws = 12_000;
    const counts = upTo(size).map(() => upTo(size).map(() => 0));
    for (let seed = 0; seed < draws; seed++) {
      for (const [position, entry] of shuffle(size, seed).entries()) counts[position]![entry]!++;
    }
    const mean = draws / size;
    let chiSquare = 0;
    for (const row of counts) for (const count of row) chiSquare += (count - mean) ** 2 / mean;
    // With 25 degrees of freedom, the test statistic of random values exceeds 52.6 once in a thousand times.
    expect(chiSquare).toBeLessThan(52.6);
  });

  it('accepts sizes from 0 to 2^20', () => {
    expect(() => shuffle(-1, 1)).toThrow(RangeError);
    expect(() => shuffle(2 ** 20 + 1, 1)).toThrow('size: expected an integer from 0 to 1048576, got 1048577');
  });
});

it('inverts a permutation', () => {
  for (const size of sizes) {
    const order = shuffle(size, 3);
    const inverse = invert(order);
    for (let position = 0; position < size; position++) expect(inverse[order[position]!]).toBe(position);
    expect(Object.keys(inverse)).toHaveLength(size);
  }
});

it('shuffleBy requests one number per bound, from the size down to 2, and swaps by it', () => {
  const bounds: number[] = [];
  const order = shuffleBy(4, (bound) => {
    bounds.push(bound);
    return 0;
  });
  expect(bounds).toEqual([4, 3, 2]);
  expect([...order]).toEqual([1, 2, 3, 0]);
  expect([...shuffleBy(4, (bound) => bound - 1)]).toEqual([0, 1, 2, 3]);
});
