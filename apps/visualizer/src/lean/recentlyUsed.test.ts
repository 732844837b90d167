import { expect, it } from 'vitest';
import { RecentlyUsed } from './recentlyUsed.ts';

it('replaces the least recently used value when it is full', () => {
  const cache = new RecentlyUsed<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
});
