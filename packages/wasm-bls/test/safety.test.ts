import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const crate = new URL('../crate/', import.meta.url);
const sources = ['src', 'examples'].flatMap((folder) =>
  readdirSync(new URL(folder, crate)).map((name) => `${folder}/${name}`),
);

/**
 * How far above it an unsafe block's reason may begin: the block may end the statement, or be the one after, that it
 * stands in.
 */
const reach = 9;

test.each(sources)('%s: each unsafe has a comment with its justification', (name) => {
  const lines = readFileSync(new URL(name, crate), 'utf8').split('\n');
  const isUnsafe = (line: string): boolean => /^[^/]*\bunsafe (\{|impl|extern)/.test(line);
  const bare = lines.flatMap((line, i) => {
    if (!isUnsafe(line)) return [];
    const above = lines.slice(Math.max(0, i - reach), i + 1);
    // One reason is for one unsafe: what stands above another one belongs to that.
    const own = above.slice(above.slice(0, -1).findLastIndex(isUnsafe) + 1);
    return own.some((each) => each.includes('SAFETY:')) ? [] : [`${name}:${i + 1}`];
  });
  expect(bare).toEqual([]);
});
