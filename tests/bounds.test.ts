import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../scripts/run.mjs';

const page = readFileSync(join(root, 'tests/reports/bounds.md'), 'utf8');

/** Rows of the page's tables: the bound, the page that states the bound, the file of its test, and the test's title. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| bound or rule |'))
  .map((line) => {
    const [, bound, stated, path, title] =
      /^\| (.+) \| \[[^\]]+\]\(([\w./-]+\.md)(?:#[\w-]+)?\) \| \[`[^`]+`\]\(([\w./-]+)\) > (.+) \|$/.exec(line) ?? [];
    return { line, bound, stated, path, title };
  });

it('tests/reports/bounds.md has rows, each with a page and a test', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const { line, bound, stated, path, title } of rows) {
    expect([bound, stated, path, title], line).not.toContain(undefined);
    expect(existsSync(join(root, 'tests/reports', stated!)), line).toBe(true);
  }
});

it.each(rows)('tests/reports/bounds.md: the test of this bound exists: $bound', ({ path, title }) => {
  const source = readFileSync(join(root, 'tests/reports', path!), 'utf8').replaceAll("\\'", "'");
  // Matches the whole quoted title, because the beginning of a title can be another test's title.
  expect(
    [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted)),
    title,
  ).toBe(true);
});
