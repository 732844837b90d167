import { RandomStream } from '@tutti/core';
import { bitAt } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { randomBitfield } from '../bitfields.ts';
import { keySum } from '../costs.ts';

describe("Horn, 'Verification time for collections': the key of a bitfield", () => {
  it.each([0, 10, 50, 66, 95, 100])('at %i % costs the counted additions of a sum', (percent) => {
    const members = 1000;
    const bitfield = randomBitfield(members, (members * percent) / 100, new RandomStream(1, 'keys'));
    let present = 0;
    for (let member = 0; member < members; member++) present += bitAt(bitfield, member);
    const { naive, subtracting } = keySum(members, percent);
    expect(naive).toBe(present);
    expect(subtracting).toBe(Math.min(present, members - present));
  });

  it('costs half of the largest sum at most, a twentieth at 95 % and a hundredth at 99 %', () => {
    const worst = Math.max(...Array.from({ length: 101 }, (_, percent) => keySum(32_768, percent).subtracting));
    expect(32_768 / worst).toBe(2);
    expect(32_768 / keySum(32_768, 95).subtracting).toBeCloseTo(20, 10);
    expect(32_768 / keySum(32_768, 99).subtracting).toBeCloseTo(100, 10);
  });

  it('saves nothing if half or fewer have voted', () => {
    for (let percent = 1; percent <= 50; percent++) {
      const { naive, subtracting } = keySum(512, percent);
      expect(subtracting).toBe(naive);
    }
  });
});
