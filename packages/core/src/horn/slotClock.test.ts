import { expect, it } from 'vitest';
import { defaultHornParameters as post } from './parameters.ts';
import { slotClock } from './slotTimes.ts';

it('votes at a third and aggregates at two thirds of the current slot; collects at its end, ten seconds before the end of Horn\'s slot ("Slot time increase")', () => {
  const shared = { attestUs: 4_000_000, aggregateUs: 8_000_000, collectUs: 12_000_000 };
  expect(slotClock('status-quo', post)).toEqual({ ...shared, endUs: 12_000_000 });
  expect(slotClock('strawman', post)).toEqual({ ...shared, endUs: 12_000_000 });
  expect(slotClock('horn', post)).toEqual({ ...shared, endUs: 22_000_000 });
});
