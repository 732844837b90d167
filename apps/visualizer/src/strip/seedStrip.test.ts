import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chapterFields } from '../story/address.ts';
import { lastNode, seedWords } from './seedStrip.ts';

it('states the range of the seeds, the position of this run, and how many never finish', () => {
  const words = (values: readonly (number | undefined)[], own: number | undefined, total = values.length) =>
    seedWords([{ name: '', values }], [own], lastNode, total);
  expect(words([310.4, 300, 290], 310.4)).toBe(
    '3 seeds: the last node takes 290 to 310 ms. The circle marks this run: the last node takes 310 ms.',
  );
  expect(words([300, undefined], undefined)).toMatch(/takes 300 ms, and in 1 of 2 seeds, some nodes never finish\.$/);
  expect(words([undefined, undefined], undefined)).toBe('2 seeds: in 2 of 2 seeds, some nodes never finish.');
  expect(words([300, 310], 300, 20)).toMatch(/^2 of 20 seeds so far: /);
});

it('compares two rows seed by seed: a run that never finishes takes longer than any other', () => {
  const rows = [
    { name: 'Handel', values: [300, 310, 320] },
    { name: 'without the window', values: [290, 320, undefined] },
  ];
  expect(seedWords(rows, [300, 290], lastNode, 3)).toBe(
    '3 seeds: the last node takes 300 to 320 ms (Handel); the last node takes 290 to 320 ms, and in 1 of 3 seeds, some nodes never finish (without the window). In 2 of 3 seeds, “without the window” takes longer than “Handel”. The circle marks this run: the last node takes 300 and 290 ms.',
  );
  expect(seedWords(rows, [300, 290], lastNode, 20)).not.toContain('takes longer');
  const both = rows.map(({ name }) => ({ name, values: [300, 310] }));
  expect(seedWords(both, [300, 300], lastNode, 2)).toContain(
    'In none of 2 seeds, “without the window” takes longer than “Handel”.',
  );
});

it('each chapter has a strip of seeds, except the table of means over seeds and the live room', () => {
  const page = readFileSync(new URL('../../index.html', import.meta.url), 'utf8');
  const sections = page.split('<section class="chapter" id="').slice(1);
  const without = sections
    .filter((section) => !section.includes('class="seed-strip"'))
    .map((section) => section.slice(0, section.indexOf('"')));
  expect(sections).toHaveLength(Object.keys(chapterFields).length);
  expect(without).toEqual(['matrix', 'live']);
});
