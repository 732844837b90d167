import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const crate = new URL('../crate/', import.meta.url);
const sources = ['src', 'examples'].flatMap((folder) =>
  readdirSync(new URL(folder, crate)).map((name) => `${folder}/${name}`),
);

/** Maximum distance, in lines, of an unsafe block from the first line of its justification. */
const reach = 9;

test.each(sources)('%s: each unsafe has a comment with its justification', (name) => {
  const lines = readFileSync(new URL(name, crate), 'utf8').split('\n');
  const isUnsafe = (line: string): boolean => /^[^/]*\bunsafe (\{|impl|extern)/.test(line);
  const bare = lines.flatMap((line, i) => {
    if (!isUnsafe(line)) return [];
    const above = lines.slice(Math.max(0, i - reach), i + 1);
    // A comment above a previous unsafe block is the justification of that block only.
    const own = above.slice(above.slice(0, -1).findLastIndex(isUnsafe) + 1);
    return own.some((each) => each.includes('SAFETY:')) ? [] : [`${name}:${i + 1}`];
  });
  expect(bare).toEqual([]);
});
