import { expect, it } from 'vitest';
import type { SlotRun } from './network/slotRun.ts';
import { Histogram, Reach, SlotLog, wordsOf } from './slotLog.ts';
import type { SlotWorld } from './slotWorld.ts';

it('a full node knows only its verified sets: a set that never arrived is not among its arrivals', () => {
  const alive = new Uint8Array(4).fill(1);
  const world: Partial<SlotWorld> = { voters: 4, globalMembers: 4, collects: false, threshold: 2, alive };
  const log = new SlotLog(world as SlotWorld);
  for (const votes of [0b0100, 0b0011, 0b1000])
    log.published('global', 0, { group: 0, sentUs: 10, weight: 1, bits: Int32Array.of(votes) }, 10);
  const run: Partial<SlotRun> = { verifiedUs: [Int32Array.of(70), Int32Array.of(50), Int32Array.of(-1)] };
  log.observe(run as SlotRun, 0, log.counted, true);
  expect(log.arrivals).toEqual([
    { set: 1, atUs: 50 },
    { set: 0, atUs: 70 },
  ]);
  expect([...log.reachUs]).toEqual([50, 50, 70, -1]);
  expect(log.reachedUs).toEqual([50]);
});

it('counts each vote once, in any number of sets, and returns the positions of new ones', () => {
  const first = { group: 0, bits: Int32Array.of(0b1011, 0b1) };
  const second = { group: 0, bits: Int32Array.of(0b0110, 0b1000_0000) };
  const other = { group: 1, bits: Int32Array.of(-1 << 30, 0) };
  const marks = Uint8Array.from({ length: 80 }, (_, place) => (place === 39 ? 0 : 1));
  const reach = new Reach(40, wordsOf(40, marks));
  const places: number[] = [];
  for (const set of [first, second, first, other]) reach.add(set, (place) => places.push(place));
  expect(places).toEqual([0, 1, 3, 32, 2, 39, 70, 71]);
  expect(reach.votes).toBe(7);
});

it('a histogram has the exact mean, percentiles to half a bin, and the largest share of consecutive bins', () => {
  const times = new Histogram(1000);
  expect([times.meanMs, times.percentileMs(95), times.maxShare(4)]).toEqual([0, 0, 0]);
  for (let ms = 1; ms <= 100; ms++) times.add(ms * 1000 + 400);
  expect(times.meanMs).toBeCloseTo(50.9, 9);
  expect([95, 100].map((percent) => times.percentileMs(percent))).toEqual([95.5, 100.5]);
  const quarters = new Histogram(250_000);
  for (const ms of [0, 800, 1100, 1300, 1500, 1700, 5000, 9000]) quarters.add(ms * 1000);
  expect(quarters.maxShare(4)).toBe(5 / 8);
});
