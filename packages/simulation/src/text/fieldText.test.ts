import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badText, choiceText, durationText, integerText, numberText, plainDecimal } from './fieldText.ts';

describe('choiceText', () => {
  it('names the most similar choice, and none without a similar one', () => {
    const read = choiceText(['aws', 'cities']);
    expect(() => read('network', 'citees')).toThrow(
      'network: expected aws or cities, got "citees" (Did you mean cities?)',
    );
    expect(() => read('network', 'xyzzy')).toThrow(/got "xyzzy"$/);
  });
});

describe('integerText', () => {
  it('accepts plain digits in its range', () => {
    expect(integerText(1, 100)('n', '64')).toBe(64);
  });

  it('accepts an exponent as that many zeros', () => {
    expect(integerText(1, 10_000)('n', '1e3')).toBe(1000);
    expect(integerText(1, 10_000)('n', '25e2')).toBe(2500);
  });

  it.each(['', ' 5', '1e', 'e1', '1e3', '1.5e1', '1e-1', '1k', '0x10', '+5', '1_0', '5.0', '101', '0'])(
    'refuses %j',
    (text) => {
      expect(() => integerText(1, 100)('n', text)).toThrow(
        `n: expected an integer from 1 to 100, got ${JSON.stringify(text)}`,
      );
    },
  );
});

describe('numberText', () => {
  it('decodes every output of plainDecimal', () => {
    const read = numberText('any', () => true);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e14, noNaN: true }), (value) => {
        expect(read('n', plainDecimal(value))).toBe(value);
      }),
    );
  });

  it.each(['1e3', '-1', 'NaN', 'Infinity', '1,5', '.'])('refuses %j', (text) => {
    expect(() => numberText('a number', (value) => value >= 0)('n', text)).toThrow('n: expected a number, got');
  });
});

describe('durationText', () => {
  it('is at most ten minutes', () => {
    expect(durationText()('t', '600000')).toBe(600_000);
    expect(() => durationText(1)('t', '0.5')).toThrow('t: expected milliseconds, a number from 1 to 600000, got "0.5"');
  });
});

describe('choiceText', () => {
  it('names the choices', () => {
    expect(choiceText(['a', 'b'])('c', 'b')).toBe('b');
    expect(() => choiceText(['a', 'b'])('c', 'B')).toThrow('c: expected a or b, got "B"');
  });
});

describe('badText', () => {
  it('shortens the received value to one line', () => {
    expect(badText('x', 'y', `${'long '.repeat(20)}\n`).message).toBe(
      'x: expected y, got "long long long long long long long lo..."',
    );
  });
});
