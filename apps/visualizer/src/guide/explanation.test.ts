import { expect, it } from 'vitest';
import { chapterAt } from './chapter.ts';
import { explanationTop, pieces } from './explanation.ts';

it('a sentence is split at its terms, with their own or other words; a word without an explanation is refused', () => {
  expect(pieces('A [[level]] of [[peer set|peers]].')).toEqual([
    ...[{ text: 'A ' }, { text: 'level', term: 'level' }, { text: ' of ' }],
    ...[{ text: 'peers', term: 'peer set' }, { text: '.' }],
  ]);
  expect(() => pieces('A [[leaf]].')).toThrow('expected one of the defined terms, got "leaf"');
});

it('the open chapter is the last one that has begun', () => {
  const all = [0, 10, 10, 30].map((timeUs) => ({ timeUs, title: '', text: '' }));
  expect([-5, 0, 9, 10, 29, 30, 99].map((timeUs) => chapterAt(all, timeUs))).toEqual([0, 0, 0, 2, 2, 3, 3]);
});

const word = { top: 420, bottom: 440 };

it('an explanation covers no line of a short paragraph: below it, or above it if the window ends', () => {
  expect(explanationTop({ top: 400, bottom: 480 }, word, 200, 900)).toBe(490);
  expect(explanationTop({ top: 400, bottom: 480 }, word, 200, 600)).toBe(190);
});

it('an explanation covers no word of a long paragraph, and stays in the window', () => {
  expect(explanationTop({ top: 100, bottom: 800 }, word, 200, 900)).toBe(450);
  expect(explanationTop({ top: 100, bottom: 800 }, word, 200, 600)).toBe(210);
  expect(explanationTop({ top: 0, bottom: 300 }, { top: 100, bottom: 120 }, 300, 320)).toBe(12);
});
