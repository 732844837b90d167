import { describe, expect, it } from 'vitest';
import {
  type AnyRange,
  defaultsOf,
  durations,
  factors,
  integers,
  listOf,
  oneOf,
  onOff,
  partialShares,
  requireAllIn,
  requireIn,
  type SettingsOf,
  type SparseSettingsOf,
  shares,
} from './setting.ts';

it.each<[string, AnyRange, taken: unknown[], refused: unknown[]]>([
  ['an integer from 1 to 8', integers(1, 8), [1, 8], [0, 9, 1.5, Number.NaN, '1', undefined]],
  ['a number from 0 to 600', durations(0, 600), [0, 0.5, 600], [-0.001, 600.001, Number.NaN, '5', null]],
  ['a number from 1 to 1000', factors(1, 1000), [1, 1000], [0.5, Infinity]],
  ['a number from 0 to 1', shares, [0, 1], [-1, 1.1]],
  ['a number from 0 to less than 1', partialShares, [0, 0.999], [-0.1, 1, Number.NaN, '0.2']],
  ['2 or 4', oneOf([2, 4]), [2, 4], [3, '2', undefined]],
  ['true or false', onOff, [true, false], ['on', 1, undefined]],
  ['light or heavy', listOf(oneOf(['light', 'heavy'])), [[], ['heavy', 'light']], [['light', 'dark'], [undefined]]],
])('requireIn: %s', (words, range, taken, refused) => {
  for (const value of taken) requireIn('here', value, range);
  for (const value of refused) expect(() => requireIn('here', value, range)).toThrow(`here: expected ${words}, got `);
  for (const value of refused) expect(() => requireIn('here', value, range)).toThrow(RangeError);
});

it('requireIn: a missing list has its own error', () => {
  expect(() => requireIn('here', 'light', listOf(oneOf(['light'])) as AnyRange)).toThrow(
    new TypeError('here: expected an array, got a text of 5 characters'),
  );
});

describe('settings of an object', () => {
  interface Oven {
    readonly heat: number;
    readonly lit?: boolean;
  }
  const settings: SettingsOf<Oven> = {
    heat: { default: 180, range: integers(50, 250), about: 'degrees' },
    lit: { default: true, range: onOff, about: 'whether there is a light' },
  };

  it('have their defaults, also for optional settings', () => {
    expect(defaultsOf(settings)).toEqual({ heat: 180, lit: true });
  });

  it('report a value out of range', () => {
    requireAllIn(defaultsOf(settings), settings);
    expect(() => requireAllIn({ heat: 300, lit: true }, settings)).toThrow(
      new RangeError('heat: expected an integer from 50 to 250, got 300'),
    );
  });

  it('check optional fields only if present, and require fields by default', () => {
    const sparse: SparseSettingsOf<Oven> = {
      heat: settings.heat,
      lit: { default: undefined, range: onOff, about: 'whether there is a light', isOptional: true },
    };
    expect(Object.keys(defaultsOf<Oven>(sparse))).toEqual(['heat']);
    requireAllIn({ heat: 180 }, sparse);
    requireAllIn({ heat: 180, lit: false }, sparse);
    expect(() => requireAllIn({ heat: 180, lit: 7 as never }, sparse, 'oven')).toThrow(
      new RangeError('oven.lit: expected true or false, got 7'),
    );
    expect(() => requireAllIn({ heat: undefined as never }, sparse)).toThrow(RangeError);
  });
});
