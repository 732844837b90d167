import { expect, it } from 'vitest';
import { sharedTags } from './marks.ts';
import type { RingMark } from './scheme.ts';

/** Returns a mark with one tag per given byte, each filled with that byte. */
const markOf = (...fills: number[]): RingMark => ({
  message: new Uint8Array(64),
  tags: fills.map((fill) => new Uint8Array(32).fill(fill)),
});

it('shared tags are those at one position of both marks, of any lengths', () => {
  const [one, two] = [markOf(1, 2, 3), markOf(4, 2)];
  expect(sharedTags(one, two)).toEqual(markOf(2).tags);
  expect(sharedTags(two, one)).toEqual(markOf(2).tags);
  expect(sharedTags(one, markOf(2, 1))).toEqual([]);
  expect(sharedTags(one, markOf())).toEqual([]);
});

it('refuses an invalid mark by name', () => {
  expect(() => sharedTags(7 as never, markOf(1))).toThrow(/^a: expected/);
  expect(() => sharedTags(markOf(1), { tags: 7 } as never)).toThrow(/^b\.tags: expected/);
});
