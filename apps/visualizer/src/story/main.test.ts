import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chapterFields } from './address.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

it('every chapter has a stage, its fields, a section, and an entry of the list, in the same order', () => {
  const page = read('../../index.html');
  const list = /<nav id="chapter-links"[^>]*>([\s\S]*?)<\/nav>/.exec(page)![1]!;
  const stages = namesIn(read('./main.ts'), /^ {4}'?([\w-]+)'?: async/gm);
  expect(stages.length).toBeGreaterThan(5);
  expect(namesIn(page, /<section class="chapter[^"]*" id="([\w-]+)"/g)).toEqual(stages);
  expect(namesIn(list, /href="#([\w-]+)"/g)).toEqual(stages);
  expect(Object.keys(chapterFields)).toEqual(stages);
});
