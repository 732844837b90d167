import { expect, it } from 'vitest';
import { roundAt, roundStartMs } from './plan.ts';

it('a round lasts from its start until just before the start of the next round', () => {
  expect(roundAt(0, 10_000)).toBe(0);
  expect(roundAt(9_999, 10_000)).toBe(0);
  expect(roundAt(10_000, 10_000)).toBe(1);
  for (const everyMs of [1, 250, 10_000, 86_400_000])
    for (const round of [0, 1, 17, 20_000]) {
      expect(roundAt(roundStartMs(round, everyMs), everyMs)).toBe(round);
      expect(roundAt(roundStartMs(round + 1, everyMs) - 1, everyMs)).toBe(round);
    }
});
