import { expect, it } from 'vitest';
import type { SlotRun } from './network/slotRun.ts';
import { SlotLog } from './slotLog.ts';
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
