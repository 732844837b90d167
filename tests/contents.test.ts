import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { attacks } from '@tutti/simulation/attacks';
import { expect, it } from 'vitest';
import { programsOf } from '../scripts/named.mjs';
import { pagesUnder } from '../scripts/pages.mjs';

const root = new URL('..', import.meta.url).pathname;
const docs = new URL('../docs/', import.meta.url);

const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, page]) => page!);

it('each page of docs/ is in one of its seven folders, and a page of docs/ links to it', () => {
  const pages = pagesUnder('docs').filter((page) => page !== 'docs/index.md');
  for (const page of pages)
    expect(page).toMatch(/^docs\/(start|guides|concepts|reference|research|benchmarks|internals)\//);
  const linked = pagesUnder('docs').flatMap((page) =>
    linksOf(readFileSync(join(root, page), 'utf8')).map((link) => posix.join(posix.dirname(page), link)),
  );
  expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});

it('the README links no more than twenty pages', () => {
  const readme = linksOf(readFileSync(join(root, 'README.md'), 'utf8'));
  expect(new Set(readme.filter((page) => page.startsWith('docs/'))).size).toBeLessThanOrEqual(20);
});

it('docs/benchmarks/index.md names a command for each record, and each is there', () => {
  const page = readFileSync(new URL('benchmarks/index.md', docs), 'utf8');
  const rows = [...page.matchAll(/^\| \[([\w-]+)\]\([\w./-]*\1(?:-arithmetic)?\.md\) \| `([^`]+)`/gm)].map(
    ([, name, command]) => ({
      name: name!,
      command: command!,
    }),
  );
  const records = readdirSync(new URL('benchmarks/', docs))
    .filter((name) => /\.md$/.test(name) && name !== 'index.md')
    .map((name) => name.replace(/\.md$/, ''));
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(records));
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

it('docs/concepts/attacks has a page for each attack', () => {
  const pages = readdirSync(new URL('concepts/attacks/', docs)).map((name) => name.replace(/\.md$/, ''));
  expect(pages.toSorted()).toEqual(attacks.map(({ name }) => name).toSorted());
});
