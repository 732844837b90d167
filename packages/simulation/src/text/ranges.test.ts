import { expect, it } from 'vitest';
import { badChoice, readerOf, textsIn } from './fieldText.ts';

const words = ['one', 'two', 'three', 'twofold'];

it('names a misspelt word', () => {
  expect(['tow', 'two', 'xyz'].map((text) => badChoice('it', words, text, 'a word').message)).toMatchInlineSnapshot(`
    [
      "it: expected a word, got "tow" (Did you mean two?)",
      "it: expected a word, got "two"",
      "it: expected a word, got "xyz"",
    ]
  `);
});

it('refuses a range without texts if texts are required', () => {
  const own = { kind: 'own', validate() {} } as const;
  const calls = [{}, { read: () => 1 }, { write: () => '' }].flatMap((more) => [
    () => readerOf({ ...own, ...more })('it', 'x'),
    () => textsIn({ ...own, ...more }, 1 as never),
  ]);
  for (const call of calls) expect(call).toThrow('range: expected one with texts, got an object');
});
