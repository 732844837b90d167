import { readFileSync } from 'node:fs';
import { screeningRefusals, wireRefusals } from '@tutti/core';
import { expect, it } from 'vitest';
import { Counts, refusals } from './refusals.ts';
import { signallingRefusals } from './signalling/messages.ts';

it('each code has one sentence, and each sentence one code', () => {
  const sentences = Object.values(refusals);
  expect(new Set(sentences).size).toBe(sentences.length);
});

it('each code is in kebab case, and no two codes are the same words in another order or spelling', () => {
  const codes = Object.keys(refusals);
  for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  const words = codes.map((code) => code.split('-').sort().join(' '));
  expect(new Set(words).size).toBe(codes.length);
});

it('contains the codes of the wire format, the node and the room server', () => {
  const all = Object.keys(refusals);
  expect(all).toEqual(expect.arrayContaining([...screeningRefusals, ...wireRefusals]));
  expect(all).toEqual(expect.arrayContaining(Object.keys(signallingRefusals)));
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
