import { expect, it } from 'vitest';
import { DelayTally, PaceTally } from './tally.ts';

it('DelayTally: the mean is exact, percentiles to half a millisecond', () => {
  const tally = new DelayTally();
  expect([tally.meanMs, tally.percentileMs(95)]).toEqual([0, 0]);
  for (let ms = 1; ms <= 100; ms++) tally.add(ms * 1000 + 400);
  expect(tally.meanMs).toBeCloseTo(50.9, 9);
  expect(tally.percentileMs(95)).toBe(95.5);
  expect(tally.percentileMs(100)).toBe(100.5);
});

it('PaceTally: the share of the busiest second, with any beginning', () => {
  const tally = new PaceTally();
  expect(tally.busiestShare).toBe(0);
  for (const ms of [0, 800, 1100, 1300, 1500, 1700, 5000, 9000]) tally.add(ms * 1000);
  expect(tally.busiestShare).toBe(5 / 8);
});
