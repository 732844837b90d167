import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heldPaths, lastTime, pathTime, requireTime, type TimePath, timePath, timeTreeDepth } from './timeTree.ts';

const anyTime = fc.integer({ min: 1, max: lastTime });

const isAtOrBelow = (path: TimePath, root: TimePath): boolean => root.every((step, i) => path[i] === step);

describe('timePath', () => {
  test('numbers a tree of three levels in pre-order', () => {
    const paths = Array.from({ length: 7 }, (_, i) => timePath(i + 1, 3).join(''));
    expect(paths).toEqual(['', '1', '11', '12', '2', '21', '22']);
  });

  test('is inverted by pathTime, at every time', () => {
    for (let time = 1; time < 2 ** 8; time++) expect(pathTime(timePath(time, 8), 8)).toBe(time);
    fc.assert(fc.property(anyTime, (time) => pathTime(timePath(time)) === time));
  });

  test('reserves a level for the message, also at the last time', () => {
    expect(timePath(lastTime)).toEqual(new Array(timeTreeDepth - 1).fill(2));
    expect(timePath(timeTreeDepth)).toEqual(new Array(timeTreeDepth - 1).fill(1));
    fc.assert(fc.property(anyTime, (time) => timePath(time).length < timeTreeDepth));
  });
});

describe('heldPaths', () => {
  test('returns the node itself and the right siblings on its path, by time', () => {
    expect(heldPaths(pathTime([1, 1, 1], 4), 4)).toEqual([[1, 1, 1], [1, 1, 2], [1, 2], [2]]);
    expect(heldPaths(1)).toEqual([[]]);
    expect(heldPaths(lastTime)).toEqual([new Array(timeTreeDepth - 1).fill(2)]);
  });

  test('covers each time from its own on exactly once, and no earlier one', () => {
    const depth = 6;
    for (let time = 1; time < 2 ** depth; time++)
      for (let other = 1; other < 2 ** depth; other++) {
        const covering = heldPaths(time, depth).filter((root) => isAtOrBelow(timePath(other, depth), root));
        expect(covering).toHaveLength(other >= time ? 1 : 0);
      }
  });

  test('is at most 32 nodes in the order of time, and covers no earlier time', () => {
    fc.assert(
      fc.property(anyTime, anyTime, (time, other) => {
        const held = heldPaths(time);
        const times = held.map((path) => pathTime(path));
        expect(held.length).toBeLessThanOrEqual(timeTreeDepth);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        const covering = held.filter((root) => isAtOrBelow(timePath(other), root));
        expect(covering).toHaveLength(other >= time ? 1 : 0);
      }),
    );
  });
});

test('requireTime refuses an invalid time and a too early one', () => {
  for (const time of [0, -1, 0.5, Number.NaN, 2 ** 32]) expect(() => requireTime('time', time)).toThrow(RangeError);
  expect(() => requireTime('time', 4, 5)).toThrow(/^time: expected an integer from 5 to 4294967295, got 4$/);
  requireTime('time', lastTime);
});
