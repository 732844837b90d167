import { expect, it } from 'vitest';
import { HandleStore } from './handleStore.ts';

it('keeps a value for as long as somebody holds it, and gives it back to whoever lets go of it last', () => {
  const store = new HandleStore<string>();
  const [one, two] = [store.add('one'), store.add('two')];
  store.retain(one);
  expect(store.release(one)).toBeUndefined();
  expect([store.get(one), store.get(two), store.size]).toEqual(['one', 'two', 2]);
  expect(store.release(one)).toBe('one');
  expect(store.size).toBe(1);
});

it('a handle that nobody holds is misuse, and none is given twice', () => {
  const store = new HandleStore<string>();
  const gone = store.add('gone');
  store.release(gone);
  for (const use of ['get', 'retain', 'release'] as const)
    expect(() => store[use](gone)).toThrow(`handle: expected one that is held, got ${gone}`);
  expect(store.add('next')).not.toBe(gone);
});
