import { RandomStream } from '@tutti/core';
import { bitAt, sparseCoding } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { changeBytes, hostileBitfields, randomBitfield } from './bitfields.ts';

describe('changeBytes(coding, bits, percent, stay, slots, seed)', () => {
  it('saves many bytes if the same validators are absent in consecutive slots', () => {
    const { alone, changes } = changeBytes(sparseCoding, 4096, 95, 0.99, 8, 1);
    expect(changes).toBeLessThan(alone / 4);
  });

  it('costs bytes if absence is independent: twice as many bits differ as are missing', () => {
    const { alone, changes, lesser } = changeBytes(sparseCoding, 4096, 95, 0.05, 8, 1);
    expect(changes).toBeGreaterThan(1.4 * alone);
    expect(lesser).toBeLessThanOrEqual(alone);
  });

  it('preserves participation', () => {
    const [early, late] = [4, 64].map((slots) => changeBytes(sparseCoding, 4096, 95, 0.9, slots, 2).alone);
    expect(Math.abs(late! / early! - 1)).toBeLessThan(0.1);
  });
});

function ones(bitfield: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < 8 * bitfield.length; index++) count += bitAt(bitfield, index);
  return count;
}

it('random bitfields have exactly the requested number of ones', () => {
  const random = new RandomStream(1, 'sample');
  for (const bits of [1, 2, 13, 1000]) {
    for (let wanted = 0; wanted <= bits; wanted += Math.ceil(bits / 9)) {
      expect(ones(randomBitfield(bits, wanted, random))).toBe(wanted);
    }
  }
});

it('random bitfields have uniformly distributed ones', () => {
  const random = new RandomStream(2, 'sample');
  const counts = new Array<number>(20).fill(0);
  for (let sample = 0; sample < 4000; sample++) {
    const bitfield = randomBitfield(20, 5, random);
    counts.forEach((_, index) => {
      counts[index]! += bitAt(bitfield, index);
    });
  }
  // The expected count is a quarter of 4000. The tolerance is five standard deviations.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(5 * Math.sqrt(4000 * 0.25 * 0.75));
});

it('hostile bitfields have the votes of their names', () => {
  const counts = hostileBitfields.map(({ make }) => ones(make(3200, new RandomStream(1, 'hostile'))));
  expect(counts).toEqual([1600, 1600, 2800, 3000, 3040, 3100]);
});
