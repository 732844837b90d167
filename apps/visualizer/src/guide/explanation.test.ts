import { describe, expect, it } from 'vitest';
import { pieces } from './explanation.ts';

describe('pieces', () => {
  it('splits a sentence at its terms, with their own or other words', () => {
    expect(pieces('A [[level]] of [[peer set|peers]].')).toEqual([
      { text: 'A ' },
      { text: 'level', term: 'level' },
      { text: ' of ' },
      { text: 'peers', term: 'peer set' },
      { text: '.' },
    ]);
  });

  it('refuses a word without an explanation', () => {
    expect(() => pieces('A [[leaf]].')).toThrow('expected one of the defined terms, got "leaf"');
  });
});
