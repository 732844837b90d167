import { expect, it } from 'vitest';
import { LinkTable } from './linkTable.ts';

const any = () => true;

it('keep evicts the least recently used link', () => {
  const table = new LinkTable<string>(2, 1000);
  expect(table.keep('a', 'link a', 0)).toEqual([]);
  expect(table.keep('b', 'link b', 1)).toEqual([]);
  expect(table.use('a', 2)).toBe('link a');
  expect(table.keep('c', 'link c', 3)).toEqual(['link b']);
  expect([table.get('a'), table.get('b'), table.get('c')]).toEqual(['link a', undefined, 'link c']);
});

it('keep replaces a link to the same peer without an eviction, and forget removes only the current link', () => {
  const table = new LinkTable<string>(2, 1000);
  table.keep('a', 'old', 0);
  table.keep('b', 'link b', 0);
  expect(table.keep('a', 'new', 1)).toEqual([]);
  expect([table.get('a'), table.size]).toEqual(['new', 2]);
  expect([table.forget('a', 'old'), table.get('a')]).toEqual([false, 'new']);
  expect([table.forget('a', 'new'), table.size]).toEqual([true, 1]);
});

it('takeIdle returns links that were unused for the idle time, and get does not count as use', () => {
  const table = new LinkTable<string>(3, 100);
  table.keep('a', 'link a', 0);
  table.keep('b', 'link b', 50);
  table.get('a');
  expect(table.takeIdle(99, any)).toEqual([]);
  expect(table.takeIdle(100, any)).toEqual(['link a']);
  table.use('b', 149);
  expect(table.takeIdle(248, any)).toEqual([]);
  expect(table.takeIdle(249, any)).toEqual(['link b']);
});

it('takeIdle leaves links that must stay, and takeAll removes all links', () => {
  const table = new LinkTable<string>(3, 100);
  for (const link of ['opening', 'open', 'other']) table.keep(link, link, 0);
  expect(table.takeIdle(100, (link) => link === 'open')).toEqual(['open']);
  expect([table.takeAll(), table.size]).toEqual([['opening', 'other'], 0]);
});
