import fc from 'fast-check';
import { expect, it } from 'vitest';
import { paceWords, raceTimeMs, storySecondAt, storySeconds } from './raceClock.ts';

it('the race takes eight seconds for its first 400 ms, speeds up, and ends with its last second', () => {
  const at = [0, 4, 8, storySeconds].map((second) => Math.round(raceTimeMs(second, 12_200)));
  expect(at).toEqual([0, 200, 400, 12_200]);
  for (const second of [0, 0.05, 4]) expect(paceWords(second, 12_200)).toBe('20 times slower than real time');
  expect(paceWords(storySeconds, 12_200)).toMatch(/times faster than real time$/);
});

it('the time of the race never decreases, and storySecondAt is its inverse', () => {
  const seconds = fc.double({ min: 0, max: storySeconds, noNaN: true });
  fc.assert(
    fc.property(seconds, seconds, fc.integer({ min: 500, max: 20_000 }), (a, b, endMs) => {
      const ms = raceTimeMs(a, endMs);
      expect((raceTimeMs(b, endMs) - ms) * (b - a)).toBeGreaterThanOrEqual(0);
      expect(raceTimeMs(storySecondAt(ms, endMs), endMs)).toBeCloseTo(ms, 3);
    }),
  );
});
