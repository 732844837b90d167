import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../docs/records/audit.md', import.meta.url), 'utf8');

/** Lines such as [`file.test.ts`](../../file.test.ts) *title*. */
const named = [...page.matchAll(/\[`[^`]+`\]\(\.\.\/\.\.\/([^)]+)\) \*([^*]+)\*/g)].map(([, path, title]) => ({
  path: path!,
  title: title!,
}));

it('each test that docs/records/audit.md names is there', () => {
  expect(named.length).toBeGreaterThan(70);
  for (const { path, title } of named) {
    const source = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').replaceAll("\\'", "'");
    const quoted = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
    expect(quoted, `${path}: ${title}`).toBe(true);
  }
});

it('each line of the table names one, or says why there is none', () => {
  const rows = page.split('\n').filter((line) => /^\| (\d|\|)/.test(line));
  expect(rows.length).toBeGreaterThan(60);
  const again = page.split('\n').filter((line) => /^\| (security|protocol|use|page)\b/.test(line));
  expect(again.length).toBeGreaterThan(20);
  for (const row of [...rows, ...again]) expect(row).toMatch(/\]\(\.\.\/|no test:|above, point \d/);
});
