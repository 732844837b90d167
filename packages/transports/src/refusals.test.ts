import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Counts, refusals } from './refusals.ts';

it('each code is in kebab case, and no two codes are the same words in another order or spelling', () => {
  const codes = Object.keys(refusals);
  for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  const words = codes.map((code) => code.split('-').sort().join(' '));
  expect(new Set(words).size).toBe(codes.length);
});

it('equals the table of docs/reference/error-codes.md', () => {
  const page = readFileSync(new URL('../../../docs/reference/error-codes.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, code, sentence]) => [code, sentence]);
  expect(Object.fromEntries(rows)).toEqual(refusals);
});

it('counts by code and prints the codes in alphabetical order', () => {
  const counts = new Counts();
  counts.add('b');
  counts.addAll({ a: 2, b: 3 });
  expect(Object.entries(counts.toRecord())).toEqual([
    ['a', 2],
    ['b', 4],
  ]);
});
