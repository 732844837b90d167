import { readdirSync, readFileSync } from 'node:fs';
import { attacks } from '@tutti/simulation/attacks';
import { expect, it } from 'vitest';
import { programsOf } from '../scripts/named.mjs';

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

it('docs/records/made-by.md names a command for each record, and each is there', () => {
  const page = readFileSync(new URL('records/made-by.md', docs), 'utf8');
  const rows = [...page.matchAll(/^\| \[([\w-]+)\]\(\1\.md\) \| `([^`]+)`/gm)].map(([, name, command]) => ({
    name: name!,
    command: command!,
  }));
  const records = readdirSync(new URL('records/', docs))
    .filter((name) => /\.md$/.test(name) && name !== 'made-by.md')
    .map((name) => name.replace(/\.md$/, ''));
  expect(rows.map(({ name }) => name)).toEqual(records.toSorted());
  const benches = [...programsOf('bench').keys()];
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', docs), 'utf8'));
  for (const { command } of rows) {
    const [, bench] = /^npm run bench -- ([\w-]+)$/.exec(command) ?? [];
    const [, script] = /^npm run ([\w:-]+)(?!.* -w )/.exec(command) ?? [];
    if (bench !== undefined) expect(benches).toContain(bench);
    else if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
    else
      expect(command).toMatch(/^(npx tutti |npx vitest run |npm run (compliance:engines|fuzz|loads:everywhere) -w )/);
  }
});

it('docs/attacks has a page for each attack', () => {
  const pages = readdirSync(new URL('attacks/', docs)).map((name) => name.replace(/\.md$/, ''));
  expect(pages.toSorted()).toEqual(attacks.map(({ name }) => name).toSorted());
});
