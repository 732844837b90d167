import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const docs = new URL('../docs/', import.meta.url);

it('docs/contents.md lists each page once, and the README links no more than twenty', () => {
  const linksOf = (text: string) => [...text.matchAll(/\]\(([^)#]+\.md)/g)].map(([, page]) => page!);
  const pagesIn = (folder: string) =>
    readdirSync(new URL(folder, docs))
      .filter((name) => name.endsWith('.md'))
      .map((name) => folder + name);
  const pages = [...pagesIn(''), ...pagesIn('records/')].filter((page) => page !== 'contents.md');
  expect(linksOf(readFileSync(new URL('contents.md', docs), 'utf8')).toSorted()).toEqual(pages.toSorted());
  const readme = linksOf(readFileSync(new URL('../README.md', docs), 'utf8'));
  expect(new Set(readme.filter((page) => page.startsWith('docs/'))).size).toBeLessThanOrEqual(20);
});
