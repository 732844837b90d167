import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeState } from '../state/pageState.ts';
import { type ChapterName, chapterFields, fieldsIn, readStoryLink, sharedAddress, writeStoryLink } from './address.ts';

const runLink = 'n=64&attack=invalid:0.2&attack=silent:0.1&fault=%7B%22kind%22%3A%22loss%22%2C%22share%22%3A0.1%7D';

it('a link to a whole run is encoded only once, and decoded with any content', () => {
  const link = writeStoryLink({ chapter: 'break-it', shows: { run: runLink, byzantine: false }, atMs: 12 });
  expect(link).not.toContain('%25');
  for (const one of [link, `#break-it&run=${encodeURIComponent(runLink)}&t=12`]) {
    const { link: read, notices } = readStoryLink(one);
    expect(notices).toEqual([]);
    expect(read!.atMs).toBe(12);
    expect(decodeState((read!.shows as { run: string }).run)).toEqual(decodeState(runLink));
  }
});

it('a shared link passes through its chapter’s own page', () => {
  const shared = ['#doubling&n=64&t=150', '#matrix'].map(sharedAddress);
  expect(shared).toEqual(['./chapter-doubling.html#n=64&t=150', './chapter-matrix.html']);
});

it('links with the former names of fields still open', () => {
  const link = { chapter: 'race', shows: { dead: 0, byzantine: 10 } };
  expect(readStoryLink('#race&liars=10')).toEqual({ link, notices: [] });
});

it('readStoryLink refuses a link to a run and any other text', () => {
  for (const hash of ['', '#', '#n=64&t=150', '#nonsense&t=1', '#race=1', '#toString'])
    expect(readStoryLink(hash).link).toBeUndefined();
  for (const hash of ['', '#protocol=gossip&n=64']) expect(readStoryLink(hash).notices).toEqual([]);
});

it('readStoryLink decodes the output of writeStoryLink', () => {
  const chapters = (Object.keys(chapterFields) as ChapterName[]).filter((name) => name !== 'break-it');
  const any = fc.record({
    chapter: fc.constantFrom(...chapters),
    place: fc.nat(100),
    atMs: fc.option(fc.nat(20_000), { nil: undefined }),
  });
  fc.assert(
    fc.property(any, ({ chapter, place, atMs }) => {
      const { table, first } = fieldsIn(chapter);
      const fields = Object.entries(table as Readonly<Record<string, { readonly choices?: readonly unknown[] }>>);
      const chosen = fields.map(([key, { choices = [] }]) => [key, choices[place % choices.length]]);
      const shows = { ...first, ...Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) };
      const link = { chapter, shows, atMs };
      expect(readStoryLink(writeStoryLink(link))).toEqual({ link, notices: [] });
    }),
  );
});

it.each([
  ['#nonsense', 'chapter: expected one of race, doubling'],
  ['#horn&n=5', 'n: expected 65536 or 1048576, got "5"; it is left out'],
])('readStoryLink reports for %s the parts that cannot be shown', (hash, notice) => {
  const { link, notices } = readStoryLink(hash);
  expect(notices.join(' ')).toContain(notice);
  expect(link?.atMs).toBeUndefined();
});

it('every chapter has a stage, its fields, a section, and an entry of the list, in the same order', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
  const page = read('../../index.html');
  const list = /<nav id="chapter-links"[^>]*>([\s\S]*?)<\/nav>/.exec(page)![1]!;
  const stages = namesIn(read('./main.ts'), /^ {4}'?([\w-]+)'?: async/gm);
  expect(stages.length).toBeGreaterThan(5);
  expect(namesIn(page, /<section class="chapter[^"]*" id="([\w-]+)"/g)).toEqual(stages);
  expect(namesIn(list, /href="#([\w-]+)"/g)).toEqual(stages);
  expect(Object.keys(chapterFields)).toEqual(stages);
});
