import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceWords, raceTimeMs, storySecondAt, storySeconds } from './raceClock.ts';

describe('raceTimeMs', () => {
  it('takes eight seconds for the first 400 ms, and ends with the race', () => {
    expect([0, 4, 8, storySeconds].map((second) => Math.round(raceTimeMs(second, 12_200)))).toEqual([
      0, 200, 400, 12_200,
    ]);
  });

  it('never decreases, and storySecondAt inverts it', () => {
    const seconds = fc.double({ min: 0, max: storySeconds, noNaN: true });
    fc.assert(
      fc.property(seconds, seconds, fc.integer({ min: 500, max: 20_000 }), (a, b, endMs) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        expect(raceTimeMs(early, endMs)).toBeLessThanOrEqual(raceTimeMs(late, endMs));
        const ms = raceTimeMs(a, endMs);
        expect(raceTimeMs(storySecondAt(ms, endMs), endMs)).toBeCloseTo(ms, 3);
      }),
    );
  });
});

describe('paceWords', () => {
  it('states that the clock speeds up', () => {
    expect([0, 0.05, 4].map((second) => paceWords(second, 12_200))).toEqual(
      Array.from({ length: 3 }, () => '20 times slower than real time'),
    );
    expect(paceWords(storySeconds, 12_200)).toMatch(/times faster than real time$/);
  });
});
