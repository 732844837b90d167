import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  badChoice,
  badText,
  choiceText,
  durationText,
  integerText,
  numberText,
  plainDecimal,
  readerOf,
  textsIn,
} from './fieldText.ts';

describe('choiceText', () => {
  const read = choiceText(['aws', 'cities']);

  it.each([
    ['citees', '"citees" (Did you mean cities?)'],
    ['xyzzy', '"xyzzy"'],
    ['AWS', '"AWS" (Did you mean aws?)'],
  ])('refuses %s, and names the choices and the most similar one', (text, got) => {
    expect(() => read('network', text)).toThrow(new RangeError(`network: expected aws or cities, got ${got}`));
  });

  it('accepts a choice', () => expect(read('network', 'cities')).toBe('cities'));
});

it('badChoice suggests nothing for a correctly spelt word', () => {
  const messages = ['tow', 'two'].map((text) => badChoice('it', ['one', 'two', 'twofold'], text, 'a word').message);
  expect(messages).toEqual(['it: expected a word, got "tow" (Did you mean two?)', 'it: expected a word, got "two"']);
});

it.each([
  ['1', 1],
  ['1e3', 1000],
  ['25e2', 2500],
  ['10000', 10_000],
])('integerText accepts %s: plain digits, or an exponent as that many zeros', (text, value) => {
  expect(integerText(1, 10_000)('n', text)).toBe(value);
});

it.each(['', ' 5', ...'1e e1 1e3 1.5e1 1e-1 1k 0x10 +5 1_0 5.0 101 0'.split(' ')])('integerText refuses %j', (text) => {
  const message = `n: expected an integer from 1 to 100, got ${JSON.stringify(text)}`;
  expect(() => integerText(1, 100)('n', text)).toThrow(message);
});

it('numberText decodes every output of plainDecimal', () => {
  const read = numberText('any', () => true);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e14, noNaN: true }), (value) => {
      expect(read('n', plainDecimal(value))).toBe(value);
    }),
  );
});

it.each(['1e3', '-1', 'NaN', 'Infinity', '1,5', '.'])('numberText refuses %j', (text) => {
  expect(() => numberText('a number', (value) => value >= 0)('n', text)).toThrow('n: expected a number, got');
});

it('a duration is at most ten minutes', () => {
  expect(durationText()('t', '600000')).toBe(600_000);
  expect(() => durationText(1)('t', '0.5')).toThrow('t: expected milliseconds, a number from 1 to 600000, got "0.5"');
});

it('badText shortens the received value to one line', () => {
  const { message } = badText('x', 'y', `${'long '.repeat(20)}\n`);
  expect(message).toBe('x: expected y, got "long long long long long long long lo..."');
});

it.each([{}, { read: () => 1 }, { write: () => '' }])('refuses an own range without texts: %j', (texts) => {
  const range = { kind: 'own', validate() {}, ...texts } as const;
  const message = 'range: expected one with texts, got an object';
  expect(() => readerOf(range)('it', 'x')).toThrow(message);
  expect(() => textsIn(range, 1 as never)).toThrow(message);
});
