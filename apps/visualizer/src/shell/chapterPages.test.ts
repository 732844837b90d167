import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chapterFields } from '../story/address.ts';
import { cardPage, chapterCards } from './chapterPages.ts';

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
});
