import { expect, it } from 'vitest';
import { defaultHornParameters, defaultHornParameters as post } from './parameters.ts';
import { slotClock, slotTimes } from './slotTimes.ts';

it('votes at a third and aggregates at two thirds of the current slot; collects at its end, ten seconds before the end of Horn\'s slot ("Slot time increase")', () => {
  const shared = { attestUs: 4_000_000, aggregateUs: 8_000_000, collectUs: 12_000_000 };
  expect(slotClock('status-quo', post)).toEqual({ ...shared, endUs: 12_000_000 });
  expect(slotClock('strawman', post)).toEqual({ ...shared, endUs: 12_000_000 });
  expect(slotClock('horn', post)).toEqual({ ...shared, endUs: 22_000_000 });
});

it("Horn, 'Slot time increase': one more round takes at least 4 s, and 10 s as proposed", () => {
  expect(slotTimes(defaultHornParameters)).toEqual({ roundSeconds: 4, minSeconds: 16, hornSeconds: 22 });
  const faster = { ...defaultHornParameters, slotSeconds: 6, rounds: 4, addedSeconds: 0 };
  expect(slotTimes(faster)).toEqual({ roundSeconds: 1.5, minSeconds: 7.5, hornSeconds: 6 });
});
