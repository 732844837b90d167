import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chapterFields } from '../story/address.ts';
import { cardPage, chapterCards, movedPage, movedPages } from './redirects.ts';

const cards = chapterCards(readFileSync(new URL('../../index.html', import.meta.url), 'utf8'));

it('each chapter has a different title, and a description for previews of links', () => {
  expect(cards.map(({ id }) => id)).toEqual(Object.keys(chapterFields));
  expect(new Set(cards.map(({ title }) => title)).size).toBe(cards.length);
  for (const { description } of cards) expect(description).toMatch(/^[A-Z0-9].{30,}[.:)]$/);
});

it('a link to a chapter redirects to it, and its preview describes the chapter', () => {
  const page = cardPage({ id: 'doubling', title: 'How "it" works', description: 'Eight & more.' }, 'https://x.org/t');
  expect(page).toContain('<meta property="og:title" content="How &quot;it&quot; works \u00b7 Tutti" />');
  expect(page).toContain('<meta property="og:description" content="Eight &amp; more." />');
  expect(page).toContain('content="https://x.org/t/card.png"');
  expect(page).toContain('data-forward="./#doubling"');
});

it('entities become letters, so that the page of a chapter escapes them once; others are refused', () => {
  const chapter = (text: string) => `<section class="chapter" id="x"><h2 id="t">A</h2><p>${text}</p></section>`;
  expect(chapterCards(chapter('8&nbsp;nodes <b>&amp;</b> more'))[0]!.description).toBe('8\u00a0nodes & more');
  expect(() => chapterCards(chapter('8 &times; 8'))).toThrow('got times');
  expect(() => chapterCards(chapter('8 &#39; 8'))).toThrow('got #39');
});

const root = join(import.meta.dirname, '../..');
const firstScript = readFileSync(join(root, 'public/first.js'), 'utf8');

/** Runs the first script of each page at an old address. Returns the address to which the script redirects. */
function forwarded(forward: string, search: string, hash: string): string | undefined {
  const left: string[] = [];
  const location = { search, hash, replace: (address: string) => left.push(address) };
  const document = {
    currentScript: { dataset: { forward } },
    documentElement: { dataset: {} },
    addEventListener: () => {},
  };
  new Function('document', 'location', 'addEventListener', 'localStorage', firstScript)(document, location, () => {}, {
    getItem: () => null,
  });
  return left[0];
}

it.each(Object.entries(movedPages))('%s redirects, and %s exists', (old, address) => {
  expect(existsSync(join(root, old))).toBe(false);
  const [page] = address.split('#');
  expect(existsSync(join(root, page === './' ? 'index.html' : page!))).toBe(true);
  expect(movedPage(address)).toContain(`<a href="${address}">`);
});

it.each([
  ['race.html', '', '#dead=0.2&t=3000', './#race&dead=0.2&t=3000'],
  ['network.html', '?from=docs', '', './horn.html?from=docs#model=network'],
  ['book.html', '?from=docs', '#title', './run.html?from=docs'],
])('%s keeps the fields of an old link if the new address has fields', (page, search, hash, address) => {
  expect(forwarded(movedPages[page]!, search, hash)).toBe(address);
});
