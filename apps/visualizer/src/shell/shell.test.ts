import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { offlineFiles, pageAddress, sheetsInOrder, withShell } from './shell.ts';

it('offlineFiles are the files that pages fetch, with relative paths', () => {
  const built = ['index.html', 'index.html.gz', 'run.html', 'sw.js', 'headers.json', 'first.js', 'assets/a-1.js'];
  built.push('card.png', 'assets/tutti_bls_upstream_bg-1.wasm');
  expect(offlineFiles(built)).toEqual(['./assets/a-1.js', './first.js', './', './run.html']);
});

it('sheetsInOrder: common style sheets first, the page’s own last, the others in their order', () => {
  const link = (name: string) => `<link rel="stylesheet" crossorigin href="./assets/${name}-AbC.css">`;
  const html = (...names: string[]) => `<head>${names.map(link).join('\n    ')}</head>`;
  expect(sheetsInOrder(html('index', 'lab', 'every', 'horn'), 'index')).toBe(html('every', 'lab', 'horn', 'index'));
});

const root = join(import.meta.dirname, '../..');
const pages = readdirSync(root).filter((name) => name.endsWith('.html'));

it.each(pages)('gives %s one head, one masthead, and every id once', (name) => {
  const html = withShell(readFileSync(join(root, name), 'utf8'));
  expect(html).not.toContain('shell:');
  expect(html.match(/<title>/g)).toHaveLength(1);
  expect(html.match(/class="masthead"/g)).toHaveLength(1);
  expect(html.match(/aria-current="page"/g)).toHaveLength(1);
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(() => withShell('<!-- shell:foot {} -->')).toThrow(/got foot/);
});

it('uses the absolute address in the preview if it is known', () => {
  const html = withShell(readFileSync(join(root, 'run.html'), 'utf8'), 'https://a.example/$&');
  expect(html).toContain('<meta property="og:image" content="https://a.example/$&amp;/card.png" />');
});

it.each([
  [undefined, '/'],
  ['https://a.example/tutti', 'https://a.example/tutti/'],
  ['http://a.example', 'http://a.example/'],
])('the address %s of the pages is %s', (given, address) => expect(pageAddress(given)).toBe(address));

it.each(['a.example', 'file:///tmp/', 'https://a.example/?x'])('pageAddress refuses %s', (given) => {
  expect(() => pageAddress(given)).toThrow(/TUTTI_PAGE_ADDRESS: expected an address/);
});
