import { expect, it } from 'vitest';
import type { NetworkWorld } from './networkWorld.ts';
import { type Pattern, verifiedVotes } from './patterns.ts';
import type { SlotWatch } from './slotRun.ts';

it.each([
  ['votes cast in time, without a pattern', undefined, 0b011, [0, 1, 2]],
  ['its own vote, if no other vote arrives', { count: 3, delayUs: () => Number.POSITIVE_INFINITY }, 0b010, [1]],
])('under the post’s assumptions, an aggregator has verified %s', (_, like, verified, seen) => {
  const world = {
    post: {},
    subcommittees: [{ start: 0, members: 3, casts: Int32Array.of(0b111) }],
    castUs: Int32Array.of(10, 20, 99),
    nodeAt: Int32Array.of(0, 1, 2),
  } as unknown as NetworkWorld;
  const told: number[] = [];
  const watch: Partial<SlotWatch> = { seen: (vote) => told.push(vote) };
  const aggregator = { group: 0, place: 1, untilUs: 50 };
  expect([...verifiedVotes(world, aggregator, like as Pattern | undefined, watch as SlotWatch)]).toEqual([verified]);
  expect(told).toEqual(seen);
});
