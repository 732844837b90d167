import { expect, it } from 'vitest';
import { HandleStore } from './handleStore.ts';

it('keeps a value until its last release, which returns it', () => {
  const store = new HandleStore<string>();
  const [one, two] = [store.add('one'), store.add('two')];
  store.retain(one);
  expect(store.release(one)).toBeUndefined();
  expect([store.get(one), store.get(two), store.size]).toEqual(['one', 'two', 2]);
  expect(store.release(one)).toBe('one');
  expect(store.size).toBe(1);
});

it('a handle without references throws, and no handle is issued twice', () => {
  const store = new HandleStore<string>();
  const gone = store.add('gone');
  store.release(gone);
  for (const use of ['get', 'retain', 'release'] as const)
    expect(() => store[use](gone)).toThrow(`handle: expected one that is held, got ${gone}`);
  expect(store.add('next')).not.toBe(gone);
});
