import { expect, it } from 'vitest';
import { defaultHornParameters } from './parameters.ts';
import { slotTimes } from './slotTimes.ts';

it("Horn, 'Slot time increase': one more round takes at least 4 s, and 10 s as proposed", () => {
  expect(slotTimes(defaultHornParameters)).toEqual({ roundSeconds: 4, minSeconds: 16, hornSeconds: 22 });
  const faster = { ...defaultHornParameters, slotSeconds: 6, rounds: 4, addedSeconds: 0 };
  expect(slotTimes(faster)).toEqual({ roundSeconds: 1.5, minSeconds: 7.5, hornSeconds: 6 });
});
